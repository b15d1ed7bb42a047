import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-context'
import { SearchPanel } from './search-panel'

/** The search in a dialog over the page. Escape or a press outside closes it. */
export function SearchOverlay() {
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
        // Escape in a search field would only empty the field.
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
