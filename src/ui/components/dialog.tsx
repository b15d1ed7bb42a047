import { signal } from '@preact/signals-core'
import { X } from 'lucide-react'
import { useEffect, useId, useRef, type ReactNode, type RefObject, type SyntheticEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { pageLayers } from '../device/layers'
import { IconButton } from './buttons'
import './layers.css'

/** The topmost modal dialog; null while none is open. */
export const topDialog = signal<HTMLDialogElement | null>(null)

/** Opens a dialog over everything, for as long as the component is mounted. The browser's Back closes it. */
export function useModal(dialog: RefObject<HTMLDialogElement | null>) {
  useEffect(() => {
    const before = topDialog.peek()
    topDialog.value = dialog.current
    dialog.current?.showModal()
    const release = pageLayers().open(() => dialog.current?.close())
    return () => {
      release()
      topDialog.value = before
    }
  }, [dialog])
}

/** Handles only the closing of the dialog itself: React also passes on that of a dialog inside it. */
export const ofItself = (onClose: () => void) => (event: SyntheticEvent) => {
  if (event.target === event.currentTarget) onClose()
}

/** A modal dialog. The browser keeps the focus inside and returns it on closing. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  children: (close: () => void) => ReactNode
}) {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // If the dialog is closed this way, the browser returns the focus.
  const close = () => dialog.current?.close()
  useModal(dialog)
  useEffect(() => dialog.current?.querySelector<HTMLElement>('form :is(input, select, textarea)')?.focus(), [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={ofItself(() => {
        onClose()
        // The element that had the focus may be gone by now.
        setTimeout(() => {
          if (document.activeElement === document.body) document.getElementById('content')?.focus()
        })
      })}
      onPointerDown={event => {
        if (event.target === dialog.current) dialog.current?.close()
      }}
    >
      <article>
        <header className="dialog-header below-8 row gap-8 spread">
          <h2 id={titleId}>{title}</h2>
          <IconButton icon={X} label={t('close')} onClick={close} />
        </header>
        {children(close)}
      </article>
    </dialog>
  )
}
