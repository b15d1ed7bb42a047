import { useTranslation } from 'react-i18next'
import type { Move } from '../../../../shared/api/move'
import { useApp } from '../../../app-context'
import { BusyButton } from '../../../components/busy-button'
import { Notice } from '../../../components/notice'
import { useAction } from '../../../components/use-action'
import { DropButton } from './drop-button'
import { UndoButton } from './undo-button'
import { useMoves } from './use-moves'

/** A move that the server no longer works on, since it stopped twice in the middle of it. */
export function MoveSetAside({ move }: { move: Move }) {
  const { failed } = useApp()
  const { t } = useTranslation()
  const moves = useMoves()
  const retrying = useAction(() => moves.retry(move.id), failed)
  const title = t('move-set-aside', { file: move.file })
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <Notice isFailure>{t('set-aside-text')}</Notice>
      <div className="move-actions">
        <BusyButton isBusy={retrying.isBusy} onClick={() => retrying.run()}>
          {t('try-again')}
        </BusyButton>
        {!move.begun && <DropButton move={move} />}
        {move.begun && move.state !== 'undoing' && <UndoButton move={move} label={t('move-undo')} />}
      </div>
    </section>
  )
}
