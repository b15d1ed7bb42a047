import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { ofItself, useModal } from '../../components/dialog'
import { IconButton } from '../../components/buttons'
import { SearchPanel } from './search-panel'
import './search.css'

/** The search in a dialog over the page. Escape, Back or a press outside closes it. */
export function SearchOverlay() {
  const { searchOverlay } = useApp()
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  useModal(dialog)
  // The browser would focus what comes first, on phones the way back.
  useEffect(() => dialog.current?.querySelector('input')?.focus(), [])

  return (
    <dialog
      ref={dialog}
      className="search-overlay clipped"
      aria-label={t('search')}
      onClose={ofItself(searchOverlay.close)}
      onPointerDown={event => {
        if (event.target === dialog.current) searchOverlay.close()
      }}
    >
      <div className="search-box stack clipped floating">
        <SearchPanel
          onChosen={searchOverlay.close}
          back={<IconButton className="on-phone" icon={ArrowLeft} label={t('close')} onClick={searchOverlay.close} />}
        />
      </div>
    </dialog>
  )
}
