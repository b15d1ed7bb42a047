import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { DirectoryHit } from '../../api/directory'
import { useApp } from '../../app-context'
import { FormFailure } from '../../components/field'
import { describeFailure } from '../../failure'
import { useResource } from '../../use-resource'
import { ForeignCover } from '../covers/foreign-cover'
import { AddInPlace } from './add-in-place'
import './adding.css'

const SEARCH_AFTER_MS = 300

/** The podcasts that a directory finds for some words, each to be added in place. */
export function DirectoryResults({ words }: { words: string }) {
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
          <AddInPlace hit={hit} />
        </li>
      ))}
    </ul>
  )
}

function Hit({ hit: { image, title, author } }: { hit: DirectoryHit }) {
  return (
    <>
      <ForeignCover src={image} name={title} size={64} />
      <span className="directory-text stack">
        <b className="truncate" dir="auto">
          {title}
        </b>
        <span className="muted truncate" dir="auto">
          {author}
        </span>
      </span>
    </>
  )
}
