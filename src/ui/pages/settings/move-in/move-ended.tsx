import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Move, MovePodcast } from '../../../../shared/api/move'
import { Notice } from '../../../components/notice'
import { formatMoment } from '../../../format'
import { routes } from '../../../routes'
import { useAdministrationApi } from '../../../use-administration'
import { useResource } from '../../../use-resource'
import { MoveCounts } from './move-counts'
import { DropButton, UndoButton, useMoveNews } from './moves'

/** The report of a move. */
export function MoveEnded({ move, onAnother }: { move: Move; onAnother: (() => void) | null }) {
  const { t } = useTranslation()
  const { id, state, source, file, message, counts, finishedAt, begun, undoableUntil } = move
  const title = t(state === 'done' ? 'move-done' : 'move-failed', { source: source ?? file, file })
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {finishedAt && (
        <p className="muted">
          {file} · {formatMoment(finishedAt)}
        </p>
      )}
      {message && (
        <Notice isFailure>
          <span lang="en">{message}</span>
        </Notice>
      )}
      {counts.length > 0 && <MoveCounts title={title} counts={counts} />}
      {begun && <MovePodcasts id={id} isOpen={false} />}
      <div className="move-actions wrap gap-8">
        {onAnother && (
          <button type="button" className="secondary" onClick={onAnother}>
            {t('move-another')}
          </button>
        )}
        {!begun && <DropButton move={move} />}
        {undoableUntil && <UndoButton move={move} label={t('move-undo')} />}
      </div>
      {undoableUntil && <p className="muted">{t('move-undo-until', { when: formatMoment(undoableUntil) })}</p>}
    </section>
  )
}

/** Every podcast of a move with its outcome, for those who want to see them. */
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
    <ul className="card lined scroll-list scrolls is-long move-podcast-list">
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
    <li className="stack breaks">
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
