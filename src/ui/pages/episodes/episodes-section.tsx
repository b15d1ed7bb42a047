import { CheckCheck } from 'lucide-react'
import { useSignals } from '@preact/signals-react/runtime'
import type { TFunction } from 'i18next'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { PodcastOverview } from '../../../shared/api/episode'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { Empty } from '../../components/states'
import { EpisodeList } from '../../library/episodes/episode-list'
import { useEpisodeList } from '../../library/episodes/use-episode-list'
import { SelectionBar } from '../../library/episodes/selection'
import { useEpisodeSelection } from '../../library/episodes/use-episode-selection'
import { FilterLine } from './filter-line'
import { useListFilters, type Filters } from './use-list-filters'
import type { MarkPodcast } from './use-podcast-marking'

const PAGE_SIZE = 50

type Props = {
  podcast: Podcast
  overview: PodcastOverview | null
  /** The `id` of the episode to open and scroll to. */
  targetId: string | null
  /** The second of it to show. */
  moment: number | null
  onMark: MarkPodcast
}

/** The episodes of a podcast, with their search and filters. */
export function EpisodesSection({ podcast, overview, targetId, moment, onMark }: Props) {
  useSignals()
  const { api } = useApp()
  const { t } = useTranslation()
  const { id } = podcast
  const filters = useListFilters(podcast)
  const { only, order, text } = filters
  const loadPage = useCallback(
    async (cursor: string | null) => {
      const query = { ...queries[only], order, limit: PAGE_SIZE, ...(text && { text }) }
      const { data, nextCursor } = await api.podcasts.episodes(id, query, cursor)
      return { items: data, next: nextCursor }
    },
    [api, id, only, order, text],
  )
  const list = useEpisodeList(id, loadPage)
  const selection = useEpisodeSelection(list)
  return (
    <>
      <h2 className="visually-hidden">{t('episodes')}</h2>
      {selection.isActive.value ? (
        <SelectionBar selection={selection} list={list} />
      ) : (
        <FilterLine filters={filters} counts={overview?.counts} onSelect={selection.begin} />
      )}
      <div className="page-list">
        <EpisodeList
          key={`${targetId ?? 'all'} ${moment}`}
          list={list}
          selection={selection}
          showCover={false}
          podcastNameOf={() => podcast.name}
          openAtStart={targetId}
          momentAtStart={moment}
          moreOf={({ podcastEpisode }) => [
            { icon: CheckCheck, label: t('mark-older-played'), onSelect: () => onMark(true, podcastEpisode.id) },
          ]}
          empty={<Empty>{emptyText(podcast, filters, t)}</Empty>}
        />
      </div>
    </>
  )
}

const queries = { all: {}, unplayed: { unlistened: true }, downloaded: { downloaded: true }, liked: { liked: true } }

function emptyText({ feed_items }: Podcast, { text, only }: Filters, t: TFunction): string {
  if (text) return t('nothing-found')
  if (only === 'downloaded') return t('nothing-downloaded')
  if (only === 'liked') return t('nothing-liked-here')
  if (only === 'unplayed') return t('all-episodes-played')
  return feed_items > 0 ? t('feed-nothing-playable', { count: feed_items }) : t('no-episodes-yet')
}
