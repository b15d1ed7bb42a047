import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ofItself, useModal } from '../components/dialog'
import { IconButton } from '../components/icon-button'
import { pullDown } from './follow-finger'
import { QueuePanel } from './queue-panel'
import './queue.css'

/** The queue over the page: a dialog, on phones a sheet. */
export function QueueDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  useModal(dialog)
  const close = () => dialog.current?.close()
  useEffect(() => {
    // A grip sorts.
    const mayPull = (target: Element) => matchMedia('(width < 768px)').matches && !target.closest('.grip')
    return pullDown(dialog.current!.querySelector('article')!, () => dialog.current?.close(), mayPull)
  }, [])
  return (
    <dialog
      ref={dialog}
      className="queue-dialog"
      aria-labelledby="queue-heading"
      onClose={ofItself(onClose)}
      onPointerDown={event => {
        if (event.target === dialog.current) close()
      }}
    >
      <article>
        <button type="button" className="queue-grab plain on-phone" aria-label={t('close')} onClick={close} />
        <QueuePanel headingId="queue-heading" isRoomy>
          <IconButton icon={X} label={t('close')} className="above-phone" onClick={close} />
        </QueuePanel>
      </article>
    </dialog>
  )
}
