import { useSignals } from '@preact/signals-react/runtime'
import { Plus } from 'lucide-react'
import { useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { ApiError } from '../../api/client'
import { describeFailure, useApp } from '../../app-state'
import { Dialog } from '../../components/dialog'
import { routes } from '../../routes'

/** Opens the dialog in which a podcast is added by the address of its feed. */
export function AddPodcastButton() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="with-icon" onClick={() => setOpen(true)}>
        <Plus size={18} aria-hidden="true" />
        {t('add-podcast')}
      </button>
      {isOpen && <AddPodcastDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function AddPodcastDialog({ onClose }: { onClose: () => void }) {
  useSignals()
  const { library, toasts } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)

  async function add(event: FormEvent) {
    event.preventDefault()
    const address = field.current!.value.trim()
    if (isBusy) return
    if (address === '' || /\s/.test(address)) {
      setFailure(t('feed-address-invalid'))
      field.current?.focus()
      return
    }
    setBusy(true)
    setFailure(null)
    try {
      const podcast = await library.add(address)
      toasts.done(t(podcast.episode_count === 0 ? 'podcast-added-empty' : 'podcast-added', { name: podcast.name }))
      onClose()
      navigate(routes.episodes(podcast.id))
    } catch (error) {
      const isNoAddress = error instanceof ApiError && error.code === 'invalid-field'
      setFailure(isNoAddress ? t('feed-address-invalid') : describeFailure(error))
      setBusy(false)
      field.current?.focus()
    }
  }

  return (
    <Dialog title={t('add-podcast')} onClose={onClose}>
      {close => (
        <>
          <form onSubmit={event => void add(event)} noValidate>
            <label htmlFor="feed-address">{t('feed-address')}</label>
            <input
              id="feed-address"
              ref={field}
              type="url"
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="https://example.com/feed.xml"
              maxLength={4096}
              readOnly={isBusy}
              aria-invalid={failure ? true : undefined}
              aria-describedby="feed-address-help"
            />
            <small id="feed-address-help" role={failure ? 'alert' : undefined}>
              {failure ?? t('feed-address-help')}
            </small>
            <footer>
              <button type="button" className="secondary" onClick={close}>
                {t('cancel')}
              </button>
              <button type="submit" aria-busy={isBusy} disabled={isBusy}>
                {isBusy ? t('adding-podcast') : t('add-podcast')}
              </button>
            </footer>
          </form>
        </>
      )}
    </Dialog>
  )
}
