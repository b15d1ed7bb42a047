import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { MovePodcast } from '../../../../shared/api/move'
import { routes } from '../../../routes'
import { useAdministrationApi } from '../../../use-administration'
import { useResource } from '../../../use-resource'
import { useMoveNews } from './use-moves'

/** Every podcast of a move with its outcome, where somebody wants to see them. */
export function MovePodcasts({ id, isOpen }: { id: string; isOpen: boolean }) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(isOpen)
  return (
    <details className="move-podcasts" open={isShown} onToggle={event => setShown(event.currentTarget.open)}>
      <summary>{t('move-all-podcasts')}</summary>
      {isShown && <Podcasts id={id} />}
    </details>
  )
}

function Podcasts({ id }: { id: string }) {
  const api = useAdministrationApi()
  const podcasts = useResource((_: AbortSignal, move: string) => api.moves.podcasts(move), [id])
  useMoveNews(async () => podcasts.retry())
  return (
    <ul className="card lined scroll-list is-long move-podcast-list">
      {podcasts.data?.map(podcast => (
        <Podcast key={podcast.feedUrl} podcast={podcast} />
      ))}
    </ul>
  )
}

function Podcast({ podcast }: { podcast: MovePodcast }) {
  const { t } = useTranslation()
  const { feedUrl, title, state, podcastId, errorCode, message, taken, leftOut } = podcast
  const name = title ?? feedUrl
  const isBad = state === 'unread' || state === 'refused'
  return (
    <li>
      {podcastId ? <Link href={routes.episodes(podcastId)}>{name}</Link> : <span>{name}</span>}
      <small className={isBad ? 'field-failure' : 'muted'}>
        {t(`move-podcast.${state}`)}
        {isBad && errorCode && (
          <>: {t([`feed-error.${errorCode}`, `error.${errorCode}`], { defaultValue: message ?? '' })}</>
        )}
        {taken > 0 && ` · ${t('move-podcast-taken', { count: taken })}`}
        {leftOut > 0 && ` · ${t('move-podcast-left-out', { count: leftOut })}`}
      </small>
    </li>
  )
}
