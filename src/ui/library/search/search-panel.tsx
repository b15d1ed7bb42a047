import { useSignals } from '@preact/signals-react/runtime'
import { History } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { EpisodeHit } from '../../../shared/api/search'
import type { Podcast } from '../../../shared/api/podcast'
import { formatDuration } from '../../../shared/duration'
import { useApp } from '../../app-context'
import { describeFailure } from '../../failure'
import { formatDate } from '../../format'
import { routes } from '../../routes'
import { createSearch } from '../../state/search'
import { Cover } from '../../components/cover'
import { FilterChip } from '../../components/filter-chip'
import './search-panel.css'

/** The field, and what it finds: arrows move, Enter chooses. `onChosen`: on the way to what was found. */
export function SearchPanel({ onChosen }: { onChosen?: () => void }) {
  useSignals()
  const { api } = useApp()
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [search] = useState(() => createSearch(api.search, localStorage))
  const [place, setPlace] = useState(0)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const { podcasts = [], episodes = [] } = search.result.value ?? {}
  const count = podcasts.length + episodes.length
  useEffect(() => setPlace(0), [search.result.value])
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [place])

  function choose(index: number) {
    const podcast = podcasts[index]
    const hit = episodes[index - podcasts.length]
    if (!podcast && !hit) return
    search.remember()
    onChosen?.()
    if (podcast) navigate(routes.episodes(podcast.id))
    else if (hit) navigate(addressOf(hit))
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || count === 0) return
    if (event.key === 'ArrowDown') setPlace(Math.min(count - 1, place + 1))
    else if (event.key === 'ArrowUp') setPlace(Math.max(0, place - 1))
    else if (event.key === 'Enter') choose(place)
    else return
    event.preventDefault()
  }
  const option = (index: number) => ({
    id: `${id}-${index}`,
    role: 'option',
    tabIndex: -1,
    'aria-selected': index === place,
    onClick: () => choose(index),
    onPointerMove: () => setPlace(index),
  })

  return (
    <search className="search-panel">
      <input
        type="search"
        role="combobox"
        value={search.words.value}
        placeholder={t('search-placeholder')}
        aria-label={t('search')}
        aria-expanded={count > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={count > 0 ? `${id}-${place}` : undefined}
        aria-busy={search.isBusy.value}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        // It is what the panel was opened for.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onChange={event => search.type(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="search-filters" role="group" aria-label={t('filter')}>
        <FilterChip
          label={t('in-titles-only')}
          isOn={search.filters.value.titlesOnly}
          onToggle={titlesOnly => search.filter({ titlesOnly })}
        />
        <FilterChip
          label={t('downloaded')}
          isOn={search.filters.value.downloaded}
          onToggle={downloaded => search.filter({ downloaded })}
        />
        <FilterChip
          label={t('not-played-yet')}
          isOn={search.filters.value.unplayed}
          onToggle={unplayed => search.filter({ unplayed })}
        />
      </div>
      {search.words.value.trim() === '' && search.recent.value.length > 0 && (
        <ul className="search-recent" aria-label={t('recent-searches')}>
          {search.recent.value.map(words => (
            <li key={words}>
              <button type="button" onClick={() => search.type(words)}>
                <History size={18} strokeWidth={1.75} aria-hidden="true" />
                {words}
              </button>
            </li>
          ))}
        </ul>
      )}
      {search.words.value.trim() === '' && search.recent.value.length === 0 && (
        <p className="search-note">{t('search-hint')}</p>
      )}
      {search.error.value !== null && (
        <p className="search-note" role="alert">
          {describeFailure(search.error.value)}
        </p>
      )}
      {search.result.value && count === 0 && !search.isBusy.value && (
        <p className="search-note">{t('nothing-found')}</p>
      )}
      <div className="search-results" id={`${id}-list`} role="listbox" aria-label={t('search-results')} ref={list}>
        {podcasts.length > 0 && (
          <div role="group" aria-label={t('podcasts')}>
            <p className="search-heading">{t('podcasts')}</p>
            {podcasts.map((podcast, index) => (
              <div key={podcast.id} className="search-result" {...option(index)}>
                <PodcastLine podcast={podcast} />
              </div>
            ))}
          </div>
        )}
        {episodes.length > 0 && (
          <div role="group" aria-label={t('episodes')}>
            <p className="search-heading">{t('episodes')}</p>
            {episodes.map((hit, index) => (
              <div key={hit.podcastEpisode.id} className="search-result" {...option(podcasts.length + index)}>
                <EpisodeLine hit={hit} />
              </div>
            ))}
          </div>
        )}
        {search.hasMore.value && count > 0 && (
          <button type="button" className="link-button" onClick={() => void search.more()}>
            {t('show-more')}
          </button>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {search.result.value && t('found-count', { count })}
      </p>
    </search>
  )
}

/** What was said or begins at a moment is shown there. */
const addressOf = ({ podcastEpisode: { podcast_id, id }, startMs }: EpisodeHit) =>
  routes.episodes(podcast_id, id, startMs === undefined ? undefined : startMs / 1000)

function PodcastLine({ podcast }: { podcast: Podcast }) {
  return (
    <>
      <Cover src={podcast.image_url} name={podcast.name} isMissing={podcast.original_image_url === ''} size={64} />
      <span className="search-text">
        <span className="search-title">{podcast.name}</span>
        <span className="muted">{podcast.author}</span>
      </span>
    </>
  )
}

function EpisodeLine({ hit }: { hit: EpisodeHit }) {
  const { t } = useTranslation()
  const { podcastEpisode: episode } = hit
  const isTitle = hit.matchedIn === 'titles'
  return (
    <>
      <Cover src={episode.local_image_url} name={hit.podcastName} isMissing={episode.image_url === ''} size={64} />
      <span className="search-text">
        {/* The server escapes what it marks. */}
        {isTitle ? (
          <span className="search-title" dangerouslySetInnerHTML={{ __html: hit.snippet }} />
        ) : (
          <span className="search-title">{episode.name}</span>
        )}
        <span className="muted">
          {hit.podcastName} · {formatDate(episode.date_of_recording)}
        </span>
        {hit.startMs !== undefined && (
          <span className="muted">
            {t(hit.matchedIn === 'chapters' ? 'chapter-at' : 'said-at', { time: formatDuration(hit.startMs / 1000) })}
          </span>
        )}
        {!isTitle && <span className="search-snippet" dangerouslySetInnerHTML={{ __html: hit.snippet }} />}
      </span>
    </>
  )
}
