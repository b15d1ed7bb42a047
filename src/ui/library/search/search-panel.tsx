import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { EpisodeHit } from '../../../shared/api/search'
import { useApp } from '../../app-context'
import { useCombobox, type Combobox } from '../../components/use-combobox'
import { describeFailure } from '../../failure'
import { routes } from '../../routes'
import { createSearch, type Search } from '../../state/search'
import { RecentSearches } from './recent-searches'
import { SearchFilters } from './search-filters'
import { SearchResults } from './search-results'
import './search-panel.css'

type Props = {
  /** Called on the way to a result. */
  onChosen?: () => void
}

/** The search of the library: a field, filters, and the podcasts and episodes found. */
export function SearchPanel({ onChosen }: Props) {
  useSignals()
  const { api } = useApp()
  const [, navigate] = useLocation()
  const [search] = useState(() => createSearch(api.search, localStorage))
  const result = search.result.value
  const { podcasts, episodes } = result ?? { podcasts: [], episodes: [] }
  const addresses = [...podcasts.map(({ id }) => routes.episodes(id)), ...episodes.map(addressOf)]
  const combobox = useCombobox(addresses.length, result, index => {
    search.remember()
    onChosen?.()
    navigate(addresses[index]!)
  })
  return (
    <search className="search-panel">
      <SearchField search={search} field={combobox.field} />
      <SearchFilters search={search} />
      <RecentSearches search={search} />
      <Notes search={search} count={addresses.length} />
      <SearchResults
        podcasts={podcasts}
        episodes={episodes}
        combobox={combobox}
        onMore={search.hasMore.value && addresses.length > 0 ? () => void search.more() : null}
      />
    </search>
  )
}

/** The page of a hit; for one in a transcript or a chapter, at its moment. */
const addressOf = ({ podcastEpisode: { podcast_id, id }, startMs }: EpisodeHit) =>
  routes.episodes(podcast_id, id, startMs === undefined ? undefined : startMs / 1000)

function SearchField({ search, field }: { search: Search; field: Combobox['field'] }) {
  useSignals()
  const { t } = useTranslation()
  return (
    <input
      {...field}
      type="search"
      value={search.words.value}
      placeholder={t('search-placeholder')}
      aria-label={t('search')}
      aria-busy={search.isBusy.value}
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      // The panel is opened to type in it.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      onChange={event => search.type(event.target.value)}
    />
  )
}

/** The reason why there are no results, and, for screen readers, the number of results. */
function Notes({ search, count }: { search: Search; count: number }) {
  useSignals()
  const { t } = useTranslation()
  const error = search.error.value
  const hasResult = search.result.value !== null
  return (
    <>
      {error !== null && (
        <p className="search-note" role="alert">
          {describeFailure(error)}
        </p>
      )}
      {hasResult && count === 0 && !search.isBusy.value && <p className="search-note">{t('nothing-found')}</p>}
      <p className="visually-hidden" role="status">
        {hasResult && t('found-count', { count })}
      </p>
    </>
  )
}
