import { useTranslation } from 'react-i18next'
import type { Move } from '../../../../shared/api/move'
import { useApp } from '../../../app-context'
import { BusyButton } from '../../../components/busy-button'
import { useAction } from '../../../components/use-action'
import { useMoves } from './use-moves'

/** Gives up a move that has not begun. */
export function DropButton({ move }: { move: Move }) {
  const { failed } = useApp()
  const { t } = useTranslation()
  const moves = useMoves()
  const dropping = useAction(() => moves.drop(move.id), failed)
  return (
    <BusyButton className="secondary" isBusy={dropping.isBusy} onClick={() => dropping.run()}>
      {t('cancel')}
    </BusyButton>
  )
}
