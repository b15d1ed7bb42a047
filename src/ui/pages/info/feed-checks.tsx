import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { formatRelative } from '../../format'
import { routes } from '../../routes'

const MOST_SHOWN = 8

/** The feeds that fail, and those that were checked last. */
export function FeedChecks() {
  useSignals()
  const { library, feedChecks, failed } = useApp()
  const { t } = useTranslation()
  const podcasts = library.all.value
  const failing = podcasts.filter(({ last_error }) => last_error !== null)
  useEffect(() => void feedChecks.load().catch(failed), [feedChecks, failed])
  const latest = podcasts
    .flatMap(podcast => {
      const checkedAt = feedChecks.byId.value.get(podcast.id)?.last_checked_at
      return checkedAt ? [{ ...podcast, checkedAt }] : []
    })
    .toSorted((one, other) => other.checkedAt.localeCompare(one.checkedAt))
    .slice(0, MOST_SHOWN)
  return (
    <>
      <FeedList
        title={t('failing-feeds')}
        podcasts={failing}
        textOf={({ last_error }) => t(`feed-error.${last_error!.errorCode}`, { defaultValue: last_error!.message })}
      />
      <FeedList title={t('last-checks')} podcasts={latest} textOf={({ checkedAt }) => formatRelative(checkedAt)} />
    </>
  )
}

type Props<T> = { title: string; podcasts: readonly T[]; textOf: (podcast: T) => ReactNode }

function FeedList<T extends Podcast>({ title, podcasts, textOf }: Props<T>) {
  if (podcasts.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <ul className="info-feeds">
        {podcasts.map(podcast => (
          <li key={podcast.id}>
            <Link href={routes.episodes(podcast.id)}>{podcast.name}</Link>
            <span className="muted">{textOf(podcast)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
