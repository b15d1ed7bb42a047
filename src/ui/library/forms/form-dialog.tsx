import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { BusyButton } from '../../components/buttons'
import { Dialog } from '../../components/dialog'
import { onSubmit, useAction } from '../../components/use-action'

/** Ends a submission whose failure is already shown next to its field. */
export class ShownAtField extends Error {}

type Props = {
  title: string
  children: ReactNode
  /** Names the button that submits. */
  action: string
  /** Marks an action that deletes something. */
  isDanger?: boolean
  onSubmit: () => Promise<unknown>
  onClose: () => void
}

/** A dialog with a form or a question. Closes once the action is done; a failure keeps it open and shows a notice. */
export function FormDialog({ title, children, action, isDanger, onSubmit: submit, onClose }: Props) {
  const { failed } = useApp()
  const { t } = useTranslation()
  const submission = useAction(
    async (close: () => void) => {
      await submit()
      close()
    },
    error => {
      if (!(error instanceof ShownAtField)) failed(error)
    },
  )
  return (
    <Dialog title={title} onClose={onClose}>
      {close => (
        <form onSubmit={onSubmit(() => submission.run(close))}>
          {children}
          <footer>
            <button type="button" className="secondary" onClick={close}>
              {t('cancel')}
            </button>
            <BusyButton type="submit" className={isDanger ? 'is-danger' : ''} isBusy={submission.isBusy}>
              {action}
            </BusyButton>
          </footer>
        </form>
      )}
    </Dialog>
  )
}

/** Shows a notice for a failed load if the page has no place for it, and then calls `onShown`. Null = no failure. */
export function useFailureNotice(error: unknown, onShown?: () => void) {
  const { failed } = useApp()
  const show = useEffectEvent(() => {
    failed(error)
    onShown?.()
  })
  useEffect(() => {
    if (error !== null) show()
  }, [error])
}
