import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Move } from '../../../../shared/api/move'
import { FormDialog } from '../../../library/forms/form-dialog'
import { useMoves } from './use-moves'

/** Takes a move back as a whole, after a question. */
export function UndoButton({ move: { id, source, file }, label }: { move: Move; label: string }) {
  const { t } = useTranslation()
  const moves = useMoves()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <button type="button" className="secondary" onClick={() => setAsking(true)}>
        {label}
      </button>
      {isAsking && (
        <FormDialog
          isDanger
          title={t('move-undo-title')}
          action={t('move-undo')}
          onSubmit={() => moves.undo(id)}
          onClose={() => setAsking(false)}
        >
          <p>{t('move-undo-text', { source: source ?? file })}</p>
        </FormDialog>
      )}
    </>
  )
}
