import { useSignals } from '@preact/signals-react/runtime'
import { Check } from 'lucide-react'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { DirectoryHit } from '../../api/directory'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import { Dialog } from '../../components/dialog'
import { routes } from '../../routes'
import './add-podcast-dialog.css'

const SEARCH_AFTER_MS = 400

/** What is no word but the beginning of an address, or an address without its `https://`. */
const isAddress = (text: string) => /^\w+:/.test(text) || (!/\s/.test(text) && /.\.../.test(text))

/** A podcast is added by the address of its feed, or found by words. */
export function AddPodcastDialog({ onClose }: { onClose: () => void }) {
  useSignals()
  const { library, toasts } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  /** A feed in which nothing can be played: it may be added all the same. */
  const [unplayable, setUnplayable] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const given = text.trim()
  const isWords = given !== '' && !isAddress(given)

  async function add(address: string, evenUnplayable = false) {
    setBusy(true)
    setFailure(null)
    setUnplayable(null)
    try {
      const podcast = await library.add(address, { evenUnplayable })
      toasts.done(t(podcast.episode_count === 0 ? 'podcast-added-empty' : 'podcast-added', { name: podcast.name }))
      onClose()
      navigate(routes.episodes(podcast.id))
    } catch (error) {
      const isNoAddress = error instanceof ApiError && error.code === 'invalid-field'
      setFailure(isNoAddress ? t('feed-address-invalid') : describeFailure(error))
      if (error instanceof ApiError && error.code === 'nothing-playable') setUnplayable(address)
      setBusy(false)
      field.current?.focus()
    }
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy || isWords) return
    if (given === '') {
      setFailure(t('feed-address-invalid'))
      field.current?.focus()
    } else void add(given)
  }

  return (
    <Dialog title={t('add-podcast')} onClose={onClose}>
      {close => (
        <form onSubmit={submit} noValidate>
          <label htmlFor="feed-address">{t('feed-address')}</label>
          <input
            id="feed-address"
            ref={field}
            type="text"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="https://example.com/feed.xml"
            maxLength={4096}
            readOnly={isBusy}
            value={text}
            onChange={event => {
              setText(event.target.value)
              setFailure(null)
              setUnplayable(null)
            }}
            aria-invalid={failure ? true : undefined}
            aria-describedby="feed-address-help"
          />
          <small id="feed-address-help" role={failure ? 'alert' : undefined}>
            {failure ?? t(isWords ? 'searching-directory' : 'feed-address-help')}
          </small>
          {unplayable !== null && (
            <button type="button" className="secondary add-anyway" onClick={() => void add(unplayable, true)}>
              {t('add-anyway')}
            </button>
          )}
          {isWords && (
            <DirectoryResults words={given} isBusy={isBusy} onAdd={hit => void add(hit.feedUrl)} onChosen={close} />
          )}
          <footer>
            <button type="button" className="secondary" onClick={close}>
              {t('cancel')}
            </button>
            {!isWords && (
              <button type="submit" aria-busy={isBusy} disabled={isBusy}>
                {isBusy ? t('adding-podcast') : t('add-podcast')}
              </button>
            )}
          </footer>
        </form>
      )}
    </Dialog>
  )
}

type ResultsProps = {
  words: string
  isBusy: boolean
  onAdd: (hit: DirectoryHit) => void
  onChosen: () => void
}

/** What the directory has under these words: to be added, or there already. */
function DirectoryResults({ words, isBusy, onAdd, onChosen }: ResultsProps) {
  useSignals()
  const { api, session } = useApp()
  const { t } = useTranslation()
  const [found, setFound] = useState<readonly DirectoryHit[] | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const hasPodindex = session.config.value!.podindexConfigured
  useEffect(() => {
    let isStale = false
    setFound(null)
    setFailure(null)
    const timer = setTimeout(() => {
      const search = hasPodindex ? api.directory.podindex(words) : api.directory.itunes(words)
      search.then(
        hits => !isStale && setFound(hits),
        error => !isStale && setFailure(error),
      )
    }, SEARCH_AFTER_MS)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [api, words, hasPodindex])

  if (failure !== null)
    return (
      <p className="field-failure" role="alert">
        {describeFailure(failure)}
      </p>
    )
  if (!found) return <p role="status" aria-busy="true" aria-label={t('loading')} />
  if (found.length === 0) return <p className="muted">{t('nothing-found')}</p>
  return (
    <ul className="directory" aria-label={t('search-results')}>
      {found.map(hit => (
        <li key={hit.feedUrl}>
          {hit.image ? (
            <img src={hit.image} alt="" loading="lazy" width={48} height={48} />
          ) : (
            <span className="directory-blank" />
          )}
          <span className="directory-text">
            <span>{hit.title}</span>
            <span className="muted">{hit.author}</span>
          </span>
          {hit.podcastId ? (
            <Link href={routes.episodes(hit.podcastId)} className="with-icon muted" onClick={onChosen}>
              <Check size={16} aria-hidden="true" />
              {t('already-added')}
            </Link>
          ) : (
            <button
              type="button"
              className="secondary"
              disabled={isBusy}
              aria-label={t('add-named', { name: hit.title })}
              onClick={() => onAdd(hit)}
            >
              {t('add')}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
