import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { Dialog } from './dialog'

/** What went wrong stands beside its field: no notice on top of it. */
export class AlreadyTold extends Error {}

type Props = {
  title: string
  children: ReactNode
  /** What the button does, in words. */
  action: string
  /** Something will be gone. */
  isDanger?: boolean
  onSubmit: () => Promise<unknown>
  onClose: () => void
}

/** Asks for something, or whether it is meant; closes when it is done, and stays open when it fails. */
export function FormDialog({ title, children, action, isDanger, onSubmit, onClose }: Props) {
  const { failed } = useApp()
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent, close: () => void) {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    try {
      await onSubmit()
      close()
    } catch (error) {
      if (!(error instanceof AlreadyTold)) failed(error)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {close => (
        <form onSubmit={event => void submit(event, close)}>
          {children}
          <footer>
            <button type="button" className="secondary" onClick={close}>
              {t('cancel')}
            </button>
            <button type="submit" className={isDanger ? 'is-danger' : ''} aria-busy={isBusy} disabled={isBusy}>
              {action}
            </button>
          </footer>
        </form>
      )}
    </Dialog>
  )
}
