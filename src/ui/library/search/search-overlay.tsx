import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { SearchPanel } from './search-panel'

/** Search over the page: the shell opens it, Escape or a press beside it closes it. */
export function SearchOverlay() {
  useSignals()
  const { searchOverlay } = useApp()
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])

  return (
    <dialog
      ref={dialog}
      className="search-overlay"
      aria-label={t('search')}
      onClose={searchOverlay.close}
      onKeyDown={event => {
        // A search field of the browser would only empty itself.
        if (event.key !== 'Escape') return
        event.preventDefault()
        searchOverlay.close()
      }}
      onPointerDown={event => {
        if (event.target === dialog.current) searchOverlay.close()
      }}
    >
      <div className="search-box">
        <SearchPanel onChosen={searchOverlay.close} />
      </div>
    </dialog>
  )
}
