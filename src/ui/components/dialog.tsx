import { signal } from '@preact/signals-core'
import { X } from 'lucide-react'
import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './icon-button'
import './dialog.css'

/** The modal dialog in front of everything, where there is one. */
export const topDialog = signal<HTMLDialogElement | null>(null)

/** Opens a dialog over everything, for as long as it is drawn. */
export function useModal(dialog: RefObject<HTMLDialogElement | null>) {
  useEffect(() => {
    const before = topDialog.peek()
    topDialog.value = dialog.current
    dialog.current?.showModal()
    return () => {
      topDialog.value = before
    }
  }, [dialog])
}

/** A modal dialog: the browser keeps the focus inside and gives it back. */
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
  // The browser's own way of closing gives the focus back to where it was.
  const close = () => dialog.current?.close()
  useModal(dialog)
  useEffect(() => dialog.current?.querySelector<HTMLElement>('form :is(input, select, textarea)')?.focus(), [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby="dialog-title"
      onClose={() => {
        onClose()
        // What the dialog was opened from may be gone by now.
        setTimeout(() => {
          if (document.activeElement === document.body) document.getElementById('content')?.focus()
        })
      }}
      onPointerDown={event => {
        if (event.target === dialog.current) dialog.current?.close()
      }}
    >
      <article>
        <header className="dialog-header">
          <h2 id="dialog-title">{title}</h2>
          <IconButton icon={X} label={t('close')} onClick={close} />
        </header>
        {children(close)}
      </article>
    </dialog>
  )
}
