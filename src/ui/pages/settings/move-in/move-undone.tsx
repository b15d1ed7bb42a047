import { useTranslation } from 'react-i18next'
import type { Move } from '../../../../shared/api/move'
import { CountTable } from './count-table'

/** A move that is being taken back, or was: what went, and what stays because people have used it since. */
export function MoveUndone({ move, onAnother }: { move: Move; onAnother: (() => void) | null }) {
  const { t } = useTranslation()
  const { state, source, file, undone } = move
  const title = t(state === 'undoing' ? 'move-undoing' : 'move-undone', { source: source ?? file })
  return (
    <section aria-label={title}>
      <div role="status">
        <h2>{title}</h2>
      </div>
      {state === 'undoing' && <progress aria-label={title} />}
      {undone.length > 0 && (
        <CountTable
          title={title}
          headings={[t('move-taken-back'), t('move-kept')]}
          rows={undone.map(row => ({ kind: row.kind, cells: [{ number: row.undone }, { number: row.kept }] }))}
        />
      )}
      {onAnother && state === 'undone' && (
        <div className="move-actions">
          <button type="button" className="secondary" onClick={onAnother}>
            {t('move-another')}
          </button>
        </div>
      )}
    </section>
  )
}
