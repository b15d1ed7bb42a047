import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-state'
import { Dialog } from './dialog'

type Props = {
  title: string
  children: ReactNode
  /** What the button does, in words. */
  action: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks before something is gone; stays open when it fails. */
export function ConfirmDialog({ title, children, action, onConfirm, onClose }: Props) {
  const { failed } = useApp()
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  async function confirm(close: () => void) {
    setBusy(true)
    try {
      await onConfirm()
      close()
    } catch (error) {
      failed(error)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {close => (
        <>
          <p>{children}</p>
          <footer>
            <button type="button" className="secondary" onClick={close}>
              {t('cancel')}
            </button>
            <button
              type="button"
              className="is-danger"
              aria-busy={isBusy}
              disabled={isBusy}
              onClick={() => void confirm(close)}
            >
              {action}
            </button>
          </footer>
        </>
      )}
    </Dialog>
  )
}
