import { useTranslation } from 'react-i18next'
import type { Move } from '../../../../shared/api/move'
import { MovePodcasts } from './move-podcasts'
import { UndoButton } from './undo-button'

/** A move under way: its podcasts first, then everything else. */
export function MoveAtWork({ move }: { move: Move }) {
  const { id, source, file, state, podcasts, items } = move
  const { t } = useTranslation()
  const title = t(state === 'adding' ? 'move-adding' : 'move-applying', { source: source ?? file })
  const text =
    state === 'adding'
      ? t('move-podcasts-progress', podcasts)
      : t('move-items-progress', { done: items.applied, total: items.total ?? items.applied })
  const value = state === 'adding' ? podcasts.done : items.applied
  const total = state === 'adding' ? podcasts.total : items.total
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <progress aria-label={title} value={value} {...(total !== null && { max: Math.max(total, 1) })} />
      <p className="numbers" role="status">
        {text}
      </p>
      <p className="muted">{t('move-goes-on')}</p>
      <div className="move-actions">
        <UndoButton move={move} label={t('move-stop')} />
      </div>
      <MovePodcasts id={id} isOpen={state === 'adding'} />
    </section>
  )
}
