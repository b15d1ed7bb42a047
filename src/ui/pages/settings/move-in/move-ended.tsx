import { useTranslation } from 'react-i18next'
import type { Move } from '../../../../shared/api/move'
import { Notice } from '../../../components/notice'
import { formatMoment } from '../../../format'
import { DropButton } from './drop-button'
import { MoveCounts } from './move-counts'
import { MovePodcasts } from './move-podcasts'
import { UndoButton } from './undo-button'

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
