import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../../app-state'
import { lazily } from '../../lazily'

const SearchPanel = lazily(async () => (await import('./search-panel')).SearchPanel)

/** Search over the page: Ctrl+f opens and closes it, Escape closes it, as a press beside it does. */
export function SearchOverlay() {
  useSignals()
  const { searchOverlay } = useApp()
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = searchOverlay.isOpen.value

  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'f') return
      event.preventDefault()
      searchOverlay.toggle()
    }
    document.addEventListener('keydown', toggle)
    return () => document.removeEventListener('keydown', toggle)
  }, [searchOverlay])
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])

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
      {isOpen && (
        <div className="search-box">
          <SearchPanel onChosen={searchOverlay.close} />
        </div>
      )}
    </dialog>
  )
}
