import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { KnownPodcast, PodcastExtras } from '../../../shared/api/podcast'
import { findCategories } from '../../api/library'
import { useApp } from '../../app-context'
import { PodcastCover, Portrait } from '../../library/covers'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'
import './podcast-aside.css'

type Props = { podcast: KnownPodcast; persons: PodcastExtras['persons'] }

/** Next to the episodes on wide screens: the people, and podcasts of the same categories. */
export function PodcastAside({ podcast, persons }: Props) {
  const { t } = useTranslation()
  return (
    <aside className="podcast-aside" aria-label={t('about-podcast')}>
      <People persons={persons} />
      <SameVein podcast={podcast} />
    </aside>
  )
}

const MAX_PEOPLE = 6

function People({ persons }: Pick<Props, 'persons'>) {
  const { t } = useTranslation()
  if (persons.length === 0) return null
  return (
    <section className="below-28">
      <h2 className="below-8">{t('persons')}</h2>
      <ul>
        {persons.slice(0, MAX_PEOPLE).map(({ name, role, img }) => (
          <li key={`${name} ${role}`}>
            <Link className="row gap-10 pressable ink fine breaks undecorated" href={routes.person(name)}>
              <Portrait name={name} picture={img} />
              <span>
                <b className="block">
                  <bdi>{name}</bdi>
                </b>
                {role && (
                  <small className="muted">
                    <bdi>{role}</bdi>
                  </small>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const MAX_KIN = 6

/** Podcasts of the library that share a category, those with most in common first. */
function SameVein({ podcast: { id } }: { podcast: KnownPodcast }) {
  useSignals()
  const { client, library } = useApp()
  const { t } = useTranslation()
  const { data } = useResource(() => findCategories(client), [])
  const shared = new Map<string, number>()
  for (const { podcastIds } of data ?? [])
    if (podcastIds.includes(id)) for (const other of podcastIds) shared.set(other, (shared.get(other) ?? 0) + 1)
  shared.delete(id)
  const kin = [...shared]
    .toSorted(([, one], [, other]) => other - one)
    .flatMap(([other]) => library.byId.value.get(other) ?? [])
    .slice(0, MAX_KIN)
  if (kin.length === 0) return null
  return (
    <section className="below-28">
      <h2 className="below-8">{t('in-the-same-vein')}</h2>
      <ul className="podcast-kin stack gap-12">
        {kin.map(other => (
          <li className="shrinks" key={other.id}>
            <Link className="bare block" href={routes.episodes(other.id)} title={other.name}>
              <PodcastCover podcast={other} size={256} />
              <span className="visually-hidden">{other.name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
