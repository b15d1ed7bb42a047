import { useSignals } from '@preact/signals-react/runtime'
import { X } from 'lucide-react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { Toasts } from '../state/toasts'
import { topDialog } from './dialog'
import { IconButton } from './buttons'
import './layers.css'

/** The notices. While a dialog is open they are shown in it, because nothing beneath it can be pressed or read out. */
export function ToastList({ toasts }: { toasts: Toasts }) {
  useSignals()
  const { t } = useTranslation()
  return createPortal(
    <div className="toasts stack gap-8" role="status" aria-live="polite">
      {toasts.all.value.map(({ id, kind, text, action }) => (
        <div key={id} className={`toast row gap-12 floating is-${kind}`}>
          <span className="shrinks breaks">{text}</span>
          {action && (
            <button
              type="button"
              className="toast-action pressable rigid plain underlined"
              onClick={() => {
                toasts.dismiss(id)
                action.run()
              }}
            >
              {action.label}
            </button>
          )}
          <IconButton icon={X} label={t('dismiss')} onClick={() => toasts.dismiss(id)} />
        </div>
      ))}
    </div>,
    topDialog.value ?? document.body,
  )
}
