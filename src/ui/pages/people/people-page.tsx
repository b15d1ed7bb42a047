import { useSignals } from '@preact/signals-react/runtime'
import { Link, useSearchParams } from 'wouter'
import { UsersRound } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { PersonListed, PersonPage } from '../../../shared/api/search'
import { callsOf } from '../../api/calls'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { PageHeader } from '../../components/page-header'
import { Empty, Failed, Skeleton } from '../../components/states'
import { EpisodeList } from '../../library/episodes/episode-list'
import { ListLine } from '../../library/episodes/list-line'
import { useEpisodeSelection, useFollowing } from '../../library/episodes/use-episode-list'
import { NotFound } from '../../library/not-found'
import { Portrait } from '../../library/covers'
import { routes } from '../../routes'
import { createWholeList, type KeptList } from '../../state/whole-list'
import { useResource } from '../../use-resource'
import './people.css'
import { useAction } from '../../components/use-action'

/** Everybody whom feeds name, or the person of that name in the address. */
export function PeoplePage() {
  const [address] = useSearchParams()
  const name = address.get('name')
  return name ? <PersonEpisodes key={name} name={name} /> : <Everybody />
}

/** A person, with the podcasts and the episodes that name them, the newest first. */
function PersonEpisodes({ name }: { name: string }) {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  const list = usePersonList(name)
  const selection = useEpisodeSelection(list)
  const data = list.outline.value
  const total = data?.total ?? 0
  const sections = useMemo(() => [{ key: 'all', count: total }], [total])
  const error = list.error.value
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  return (
    <div className="page-list list-width">
      <PageHeader title={name} back={{ to: routes.people, label: t('persons') }} />
      {data && (
        <div className="person-about below-12 person-line ink breaks undecorated row gap-12">
          <Portrait name={data.name} picture={data.picture} />
          <span>
            {data.takesPartIn.length > 0 && (
              <span className="x-16 strong wrap">
                {data.takesPartIn.map(podcast => (
                  <Link key={podcast.id} href={routes.episodes(podcast.id)} dir="auto">
                    {podcast.name}
                  </Link>
                ))}
              </span>
            )}
            <small className="muted numbers">{t('episodes-count', { count: data.episodes })}</small>
          </span>
        </div>
      )}
      <h2 className="visually-hidden">{t('episodes')}</h2>
      {total > 0 && (
        <ListLine list={list} selection={selection} matching={{ person: name }}>
          <span className="grow" />
        </ListLine>
      )}
      <EpisodeList
        list={list}
        podcastNameOf={({ podcastEpisode }) => library.byId.value.get(podcastEpisode.podcast_id)?.name ?? ''}
        showPodcast
        sections={sections}
        selection={selection}
        empty={<Empty icon={UsersRound}>{t('no-episodes-of-person')}</Empty>}
      />
    </div>
  )
}

const PAGE_SIZE = 50

type Person = PersonPage & { total: number }

/** The episodes that name a person. Its outline is what is known of them. */
function usePersonList(name: string) {
  const { client, places } = useApp()
  const list = useMemo(() => {
    const { get } = callsOf(client)
    return createWholeList<EpisodeWrapper, Person>(
      {
        size: PAGE_SIZE,
        idOf: ({ podcastEpisode }) => podcastEpisode.id,
        async loadOutline(signal) {
          const person = await get('/people/named')({ name }, signal)
          return { ...person, total: person.episodes }
        },
        loadRows: (offset, signal) => get('/people/named/episodes')({ name, offset, limit: PAGE_SIZE }, signal),
      },
      places.remembered<KeptList<EpisodeWrapper, Person>>('episodes'),
    )
  }, [client, places, name])
  useFollowing(list, null)
  return list
}

const PAGE = 60

/** The people of all feeds by name, found by the beginnings of their names. */
function Everybody() {
  const { client, failed } = useApp()
  const { t } = useTranslation()
  const [words, setWords] = useState('')
  const find = (signal: AbortSignal | undefined, q: string, after: string) =>
    callsOf(client).get('/people')({ q, after, limit: PAGE }, signal)
  const { data, error, retry, set } = useResource((signal, q: string) => find(signal, q, ''), [words.trim()])
  const [ended, setEnded] = useState('')
  const shown = useRef('')
  shown.current = words.trim()
  const more = useAction(async () => {
    const q = words.trim()
    const next = await find(undefined, q, data!.at(-1)!.name)
    // Another search may have begun.
    if (shown.current !== q) return
    if (next.length < PAGE) setEnded(`q:${q}`)
    set([...data!, ...next])
  }, failed)
  return (
    <div className="people">
      <PageHeader title={t('persons')} />
      <input
        type="search"
        className="spaced"
        value={words}
        placeholder={t('filter-by-name')}
        aria-label={t('filter-by-name')}
        dir="auto"
        maxLength={200}
        onChange={event => setWords(event.target.value)}
      />
      {error !== null && <Failed error={error} onRetry={retry} />}
      {!data && error === null && <Skeleton kind="row" count={6} />}
      {data?.length === 0 && (
        <Empty icon={UsersRound}>{words.trim() === '' ? t('no-people') : t('nothing-found')}</Empty>
      )}
      <ul className="people-list gap-4 x-24 stack spaced">
        {data?.map(person => (
          <li className="shrinks" key={person.name}>
            <PersonLink person={person} />
          </li>
        ))}
      </ul>
      {data && data.length > 0 && data.length % PAGE === 0 && ended !== `q:${words.trim()}` && (
        <button type="button" className="link-button plain accent" aria-busy={more.isBusy} onClick={more.run}>
          {t('show-more')}
        </button>
      )}
    </div>
  )
}

function PersonLink({ person: { name, picture, episodes, podcasts } }: { person: PersonListed }) {
  const { t } = useTranslation()
  const counts = [
    podcasts > 0 && t('podcasts-count', { count: podcasts }),
    episodes > 0 && t('episodes-count', { count: episodes }),
  ]
  return (
    <Link className="person-line ink breaks undecorated row gap-12" href={routes.person(name)}>
      <Portrait name={name} picture={picture} />
      <span>
        <b className="block" dir="auto">
          {name}
        </b>
        <small className="muted numbers">{counts.filter(Boolean).join(' · ')}</small>
      </span>
    </Link>
  )
}
