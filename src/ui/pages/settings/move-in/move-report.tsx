import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Move, MoveCount, MovePodcast } from '../../../../shared/api/move'
import { Notice } from '../../../components/notice'
import { Loaded } from '../../../components/states'
import { describeProblem } from '../../../failure'
import { formatCount, formatMoment } from '../../../format'
import { routes } from '../../../routes'
import { useAdministrationApi } from '../../../use-administration'
import { useResource } from '../../../use-resource'
import { DropButton, UndoButton, useMoveNews } from './moves'

type Props = {
  title: string
  counts: readonly MoveCount[]
  /** Whether all of this is still to happen. */
  isAhead?: boolean
}

/** Counts of what was imported, was here already, or was left out, with reasons. */
export function MoveCounts({ title, counts, isAhead = false }: Props) {
  const { t } = useTranslation()
  // Only the feeds know which episodes they have dropped, and a rehearsal requests none.
  const coming = ({ kind, taken }: MoveCount) =>
    isAhead && kind === 'episodes' && taken > 0
      ? { number: taken, text: t('move-at-most', { total: taken }) }
      : { number: taken }
  return (
    <>
      <CountTable
        title={title}
        headings={[t(isAhead ? 'move-comes' : 'move-came'), t('move-present'), t('move-left-out')]}
        rows={counts.map(count => ({
          kind: count.kind,
          cells: [coming(count), { number: count.present }, { number: count.leftOut }],
        }))}
      />
      <Reasons counts={counts} />
    </>
  )
}

function Reasons({ counts }: Pick<Props, 'counts'>) {
  const { t } = useTranslation()
  const reasons = counts.flatMap(({ kind, reasons }) => reasons.map(reason => ({ kind, ...reason })))
  if (reasons.length === 0) return null
  return (
    <details className="move-reasons">
      <summary>{t('move-reasons')}</summary>
      <ul className="prose shrinks breaks">
        {reasons.map(({ kind, reason, total }) => (
          <li key={`${kind} ${reason}`}>
            {t([`move-kind.${kind}`, kind])}:{' '}
            {t([`move-reason.${reason}`, `feed-error.${reason}`, `error.${reason}`], { defaultValue: reason })} (
            {formatCount(total)})
          </li>
        ))}
      </ul>
    </details>
  )
}

/** A count; `text` replaces it if it needs words. */
type Cell = { number: number; text?: string }
type Row = { kind: string; cells: readonly Cell[] }
type CountTableProps = {
  title: string
  /** Headings of the counts. */
  headings: readonly string[]
  rows: readonly Row[]
}

/** Kinds of things with counts of their outcomes. */
export function CountTable({ title, headings, rows }: CountTableProps) {
  const { t } = useTranslation()
  return (
    <table className="move-counts flush">
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          {[t('move-what'), ...headings].map(heading => (
            <th className="muted regular" key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ kind, cells }) => (
          <tr key={kind}>
            <th className="ink strong" scope="row">
              {t([`move-kind.${kind}`, kind])}
            </th>
            {headings.map((heading, column) => (
              <Count key={heading} cell={cells[column]!} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Count = ({ cell: { number, text = formatCount(number) } }: { cell: Cell }) => (
  <td className={number === 0 ? 'muted' : ''}>{text}</td>
)

/** Says why a move ended early, and then the fact behind it, such as the answer of a host. */
function MoveFailure({ move: { errorCode, arguments: args } }: { move: Move }) {
  if (errorCode === null) return null
  return (
    <>
      {describeProblem(errorCode, args)}
      {args.detail && (
        <>
          {' '}
          <code dir="auto">{args.detail}</code>
        </>
      )}
    </>
  )
}

/** The report of a move. */
export function MoveEnded({ move, onAnother }: { move: Move; onAnother: (() => void) | null }) {
  const { t } = useTranslation()
  const { id, state, source, file, counts, finishedAt, begun, undoableUntil } = move
  const title = t(state === 'done' ? 'move-done' : 'move-failed', { source: source ?? file, file })
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {finishedAt && (
        <p className="muted">
          {file} · {formatMoment(finishedAt)}
        </p>
      )}
      {move.errorCode && (
        <Notice isFailure>
          <MoveFailure move={move} />
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
      {undoableUntil && <p className="muted above-12">{t('move-undo-until', { when: formatMoment(undoableUntil) })}</p>}
    </section>
  )
}

/** The report of a move before the latest one. */
export function EarlierMove({ move: { id, source, file, counts, startedAt, errorCode }, move }: { move: Move }) {
  return (
    <details className="card padded move-card">
      <summary>
        {source ?? file} · {formatMoment(startedAt)}
      </summary>
      {errorCode && (
        <p>
          <MoveFailure move={move} />
        </p>
      )}
      {counts.length > 0 && <MoveCounts title={source ?? file} counts={counts} />}
      <MovePodcasts id={id} isOpen={false} />
    </details>
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
    <Loaded resource={podcasts} rows={3}>
      {all => (
        <ul className="card lined long scroll-list scrolls is-long move-podcast-list">
          {all.map(podcast => (
            <Podcast key={podcast.feedUrl} podcast={podcast} />
          ))}
        </ul>
      )}
    </Loaded>
  )
}

function Podcast({ podcast }: { podcast: MovePodcast }) {
  const { t } = useTranslation()
  const { feedUrl, title, state, podcastId, errorCode, taken, leftOut } = podcast
  const name = title ?? feedUrl
  const isBad = state === 'unread' || state === 'refused'
  return (
    <li className="stack breaks">
      {podcastId ? <Link href={routes.episodes(podcastId)}>{name}</Link> : <span>{name}</span>}
      <small className={isBad ? 'field-failure' : 'muted'}>
        {t(`move-podcast.${state}`)}
        {isBad && errorCode && (
          <>: {t(`feed-error.${errorCode}`, { defaultValue: describeProblem(errorCode, podcast.arguments) })}</>
        )}
        {taken > 0 && ` · ${t('move-podcast-taken', { count: taken })}`}
        {leftOut > 0 && ` · ${t('move-podcast-left-out', { count: leftOut })}`}
      </small>
    </li>
  )
}
