import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Podcast } from '../../../shared/api/podcast'
import type { EpisodeHit } from '../../../shared/api/search'
import { formatDuration } from '../../../shared/duration'
import type { Combobox } from '../../components/use-combobox'
import { formatDate } from '../../format'
import { EpisodeCover } from '../covers/episode-cover'
import { PodcastCover } from '../covers/podcast-cover'

type Props = {
  podcasts: readonly Podcast[]
  episodes: readonly EpisodeHit[]
  combobox: Combobox
  /** Null where there are no more. */
  onMore: (() => void) | null
}

/** The podcasts and episodes found, as one list of options. */
export function SearchResults({ podcasts, episodes, combobox: { list, option }, onMore }: Props) {
  const { t } = useTranslation()
  return (
    <div {...list} className="search-results" aria-label={t('search-results')}>
      <Group title={t('podcasts')}>
        {podcasts.map((podcast, index) => (
          <div key={podcast.id} className="search-result" {...option(index)}>
            <PodcastLine podcast={podcast} />
          </div>
        ))}
      </Group>
      <Group title={t('episodes')}>
        {episodes.map((hit, index) => (
          <div key={hit.podcastEpisode.id} className="search-result" {...option(podcasts.length + index)}>
            <EpisodeLine hit={hit} />
          </div>
        ))}
      </Group>
      {onMore && (
        <button type="button" className="link-button" onClick={onMore}>
          {t('show-more')}
        </button>
      )}
    </div>
  )
}

function Group({ title, children }: { title: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <div role="group" aria-label={title}>
      <p className="search-heading">{title}</p>
      {children}
    </div>
  )
}

function PodcastLine({ podcast }: { podcast: Podcast }) {
  return (
    <>
      <PodcastCover podcast={podcast} size={64} />
      <span className="search-text">
        <span className="search-title">{podcast.name}</span>
        <span className="muted">{podcast.author}</span>
      </span>
    </>
  )
}

function EpisodeLine({ hit }: { hit: EpisodeHit }) {
  const { t } = useTranslation()
  const { podcastEpisode: episode, podcastName, startMs, matchedIn } = hit
  const isTitle = matchedIn === 'titles'
  return (
    <>
      <EpisodeCover episode={episode} podcastName={podcastName} size={64} />
      <span className="search-text">
        {/* The server escapes the snippet and marks the words in it. */}
        {isTitle ? (
          <span className="search-title" dangerouslySetInnerHTML={{ __html: hit.snippet }} />
        ) : (
          <span className="search-title">{episode.name}</span>
        )}
        <span className="muted">
          {podcastName} · {formatDate(episode.date_of_recording)}
        </span>
        {startMs !== undefined && (
          <span className="muted">
            {t(matchedIn === 'chapters' ? 'chapter-at' : 'said-at', { time: formatDuration(startMs / 1000) })}
          </span>
        )}
        {!isTitle && <span className="search-snippet" dangerouslySetInnerHTML={{ __html: hit.snippet }} />}
      </span>
    </>
  )
}
