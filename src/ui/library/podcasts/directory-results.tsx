import { useSignals } from '@preact/signals-react/runtime'
import { Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { DirectoryHit } from '../../api/directory'
import { useApp } from '../../app-context'
import { FormFailure } from '../../components/field'
import { describeFailure } from '../../failure'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'

const SEARCH_AFTER_MS = 400

type Props = {
  words: string
  /** True while a podcast is being added. */
  isBusy: boolean
  onAdd: (hit: DirectoryHit) => void
  /** Called on the way to a podcast that the library has already. */
  onChosen: () => void
}

/** The podcasts that a directory finds for some words. */
export function DirectoryResults({ words, isBusy, onAdd, onChosen }: Props) {
  useSignals()
  const { api, session } = useApp()
  const { t } = useTranslation()
  const directory = session.config.value!.podindexConfigured ? 'podindex' : 'itunes'
  const { data, error, isStale } = useResource(
    (signal, from: 'podindex' | 'itunes', wanted: string) => api.directory[from](wanted, signal),
    [directory, words],
    { debounceMs: SEARCH_AFTER_MS },
  )
  if (error !== null) return <FormFailure reason={describeFailure(error)} />
  if (!data || isStale) return <p role="status" aria-busy="true" aria-label={t('loading')} />
  if (data.length === 0) return <p className="muted">{t('nothing-found')}</p>
  return (
    <ul className="directory" aria-label={t('search-results')}>
      {data.map(hit => (
        <li key={hit.feedUrl}>
          <Hit hit={hit} />
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

function Hit({ hit: { image, title, author } }: { hit: DirectoryHit }) {
  return (
    <>
      {image ? <img src={image} alt="" loading="lazy" width={48} height={48} /> : <span className="directory-blank" />}
      <span className="directory-text">
        <span>{title}</span>
        <span className="muted">{author}</span>
      </span>
    </>
  )
}
