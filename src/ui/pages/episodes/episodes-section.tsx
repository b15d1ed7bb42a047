import { ArrowDownToLine, Ellipsis, ListChecks, ListX } from 'lucide-react'
import { useSignals } from '@preact/signals-react/runtime'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { FilterChip } from '../../components/filter-chip'
import { Menu } from '../../components/menu'
import { Empty } from '../../components/states'
import { EpisodeList } from '../../library/episodes/episode-list'
import { useEpisodeList } from '../../library/episodes/use-episode-list'
import { useListFilters, type Filters } from './use-list-filters'
import { usePodcastMarking } from './use-podcast-marking'

const PAGE_SIZE = 50

type Props = {
  podcast: Podcast
  /** The `id` of the episode to open and scroll to. */
  targetId: string | null
  /** The second of it to show. */
  moment: number | null
}

/** The episodes of a podcast, with their search and filters. */
export function EpisodesSection({ podcast, targetId, moment }: Props) {
  const { api, library } = useApp()
  const { t } = useTranslation()
  const { id } = podcast
  const filters = useListFilters(podcast)
  const { unlistened, downloaded, order, text } = filters
  const loadPage = useCallback(
    async (cursor: string | null) => {
      const query = { unlistened, downloaded, order, limit: PAGE_SIZE, ...(text && { text }) }
      const { data, nextCursor } = await api.podcasts.episodes(id, query, cursor)
      return { items: data, next: nextCursor }
    },
    [api, id, unlistened, downloaded, order, text],
  )
  const list = useEpisodeList(id, loadPage)
  const mark = usePodcastMarking(id, () => {
    void list.reload()
    void library.load()
  })
  return (
    <>
      <Tools podcast={podcast} filters={filters} onMark={finished => void mark(finished)} />
      <EpisodeList
        key={`${targetId ?? 'all'} ${moment}`}
        list={list}
        podcastNameOf={() => podcast.name}
        openAtStart={targetId}
        momentAtStart={moment}
        moreOf={({ podcastEpisode }) => [
          { icon: ListChecks, label: t('mark-older-played'), onSelect: () => void mark(true, podcastEpisode.id) },
        ]}
        empty={<Empty>{emptyText(podcast, filters, t)}</Empty>}
      />
    </>
  )
}

function emptyText({ feed_items }: Podcast, { text, downloaded, unlistened }: Filters, t: TFunction): string {
  if (text) return t('nothing-found')
  if (downloaded) return t('nothing-downloaded')
  if (unlistened) return t('all-episodes-played')
  return feed_items > 0 ? t('feed-nothing-playable', { count: feed_items }) : t('no-episodes-yet')
}

type ToolsProps = { podcast: Podcast; filters: Filters; onMark: (finished: boolean) => void }

function Tools({ podcast, filters, onMark }: ToolsProps) {
  const { t } = useTranslation()
  const { unlistened, downloaded, order, text, words, setWords, change } = filters
  const isFiltered = text !== '' || unlistened || downloaded
  return (
    <div className="episodes-tools">
      <h2>{isFiltered ? t('episodes') : t('episodes-count', { count: podcast.episode_count })}</h2>
      <input
        type="search"
        className="episodes-search"
        placeholder={t('search-in-podcast')}
        aria-label={t('search-in-podcast')}
        maxLength={200}
        value={words}
        onChange={event => setWords(event.target.value)}
      />
      <FilterChip label={t('not-played-yet')} isOn={unlistened} onToggle={isOn => change({ unlistened: isOn })} />
      <FilterChip label={t('downloaded')} isOn={downloaded} onToggle={isOn => change({ downloaded: isOn })} />
      <FilterChip
        label={t('oldest-first')}
        isOn={order === 'oldest'}
        onToggle={isOn => change({ order: isOn ? 'oldest' : 'newest' })}
      />
      <AllEpisodesMenu podcastId={podcast.id} onMark={onMark} />
    </div>
  )
}

type MenuProps = { podcastId: string; onMark: (finished: boolean) => void }

/** Actions on all episodes of the podcast at once. */
function AllEpisodesMenu({ podcastId, onMark }: MenuProps) {
  useSignals()
  const { api, failed, session, toasts } = useApp()
  const { t } = useTranslation()
  async function downloadAll() {
    const { queued } = await api.podcasts.downloadAll(podcastId)
    toasts.done(t('downloads-queued', { count: queued }))
  }
  return (
    <Menu
      icon={Ellipsis}
      label={t('all-episodes')}
      items={[
        { icon: ListChecks, label: t('mark-all-played'), onSelect: () => onMark(true) },
        { icon: ListX, label: t('mark-all-unplayed'), onSelect: () => onMark(false) },
        ...(session.mayUpload.value
          ? [
              {
                icon: ArrowDownToLine,
                label: t('download-all'),
                onSelect: () => void downloadAll().catch(failed),
              },
            ]
          : []),
      ]}
    />
  )
}
