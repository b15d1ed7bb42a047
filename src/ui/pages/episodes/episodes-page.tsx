import type { EpisodeQuery } from '../../api'
import { useSignals } from '@preact/signals-react/runtime'
import { CheckCheck, Pause, Play } from 'lucide-react'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import type { PodcastOverview } from '../../../shared/api/episode'
import type { KnownPodcast } from '../../../shared/api/podcast'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/icon-button'
import { lazily } from '../../components/lazily'
import { PageHeader, useIsBehindBar } from '../../components/page-header'
import { Empty, Failed } from '../../components/states'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'
import { PodcastHeader } from './podcast-header'
import { type MarkPodcast, usePodcastMarking } from '../../library/episodes/use-bulk-actions'
import type { TFunction } from 'i18next'
import { EpisodeList } from '../../library/episodes/episode-list'
import { useEpisodeList } from '../../library/episodes/use-episode-list'
import { SelectionBar } from '../../library/episodes/selection'
import { useEpisodeSelection } from '../../library/episodes/use-episode-selection'
import { FilterLine, type Filters, useListFilters } from './filter-line'

const NotFound = lazily(async () => (await import('../../library/not-found')).NotFound)
const LiveNotice = lazily(async () => (await import('./live-notice')).LiveNotice)

/** A podcast and its episodes. `eid`: the episode that is opened and scrolled to. */
export function EpisodesPage({ podcastId, eid }: { podcastId: string; eid: string | null }) {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  const details = useDetails(podcastId)
  const target = useTarget(podcastId, eid)
  const moment = readMoment(useSearch())
  const overview = useOverview(podcastId)
  const onMark = usePodcastMarking(podcastId)
  const header = useRef<HTMLElement>(null)
  const listed = library.byId.value.get(podcastId)
  const whole = details.data?.id === podcastId ? details.data : null
  const podcast = useMemo(() => (listed && whole ? { ...whole, ...listed } : (listed ?? whole)), [listed, whole])

  if (isNotFound(details.error)) return <NotFound what="podcast" goneId={podcastId} />
  if (target.isMissing) return <NotFound what="episode" podcastId={podcastId} />
  if (!podcast && details.error !== null) return <Failed error={details.error} onRetry={() => void details.retry()} />
  if (!podcast) return <p role="status" aria-busy="true" aria-label={t('loading')} />
  const extras = details.data?.extras ?? null
  return (
    <>
      <Bar podcast={podcast} overview={overview} headerRef={header} />
      <PodcastHeader podcast={podcast} extras={extras} overview={overview} onMark={onMark} headerRef={header} />
      {extras?.live && <LiveNotice podcast={podcast} items={extras.live} />}
      <EpisodesSection podcast={podcast} overview={overview} targetId={target.id} moment={moment} onMark={onMark} />
    </>
  )
}

type BarProps = { podcast: KnownPodcast; overview: PodcastOverview | null; headerRef: RefObject<HTMLElement | null> }

/** The page's part of the top bar: the way back, and name and play button once the header has scrolled away. */
function Bar({ podcast, overview, headerRef }: BarProps) {
  useSignals()
  const { player, failed } = useApp()
  const { t } = useTranslation()
  const [location] = useLocation()
  const isClear = useIsBehindBar(headerRef)
  const isHere = player.current.value?.podcastId === podcast.id
  const next = overview?.next?.episode
  const isPlaying = isHere && player.isPlaying.value
  const back = location.startsWith(routes.favorites)
    ? { to: routes.favorites, label: t('favorites') }
    : { to: routes.podcasts, label: t('all-subscriptions') }
  return (
    <PageHeader title={podcast.name} back={back} hasOwnHeading isClear={isClear}>
      {!isClear && (isHere || next) && (
        <IconButton
          icon={isPlaying ? Pause : Play}
          label={t(isPlaying ? 'pause-episode' : 'play-episode', { name: podcast.name })}
          className="is-accent"
          onClick={() => (isHere ? player.toggle() : void player.play(next!, podcast.name).catch(failed))}
        />
      )}
    </PageHeader>
  )
}

/** Loads the podcast with what the library does not hold, and again once the server is back. */
function useDetails(podcastId: string) {
  useSignals()
  const { api, isConnected, feedChecks } = useApp()
  const details = useResource((_, id: string) => api.podcasts.find(id), [podcastId])
  const { retry, data } = details
  useEffect(() => {
    if (data) feedChecks.note(data)
  }, [data, feedChecks])
  const isOnline = isConnected.value
  const wasOffline = useRef(false)
  useEffect(() => {
    if (isOnline && wasOffline.current) void retry()
    wasOffline.current = !isOnline
  }, [isOnline, retry])
  return details
}

/** Finds the episode of the address. `isMissing`: there is none, or it belongs to another podcast. */
function useTarget(podcastId: string, eid: string | null) {
  const { api } = useApp()
  const { data, error, isStale } = useResource(
    async (_, wanted: string | null) => (wanted === null ? null : api.episodes.find(wanted)),
    [eid],
  )
  const episode = isStale ? null : data?.podcastEpisode
  const isForeign = episode != null && episode.podcast_id !== podcastId
  return { id: isForeign ? null : (episode?.id ?? null), isMissing: isForeign || isNotFound(error) }
}

/** The second that the address points to; null without one. */
function readMoment(search: string): number | null {
  const text = new URLSearchParams(search).get('t') ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) : null
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

/** Several changes in a row are one reason to ask again. */
const SETTLE_MS = 400

/** Returns what to play next of a podcast and the counts of its filters; null until loaded. Follows what happens. */
function useOverview(podcastId: string): PodcastOverview | null {
  const { api, changes } = useApp()
  const [changeCount, setChangeCount] = useState(0)
  const { data } = useResource((_, id: string, _count: number) => api.podcasts.overview(id), [podcastId, changeCount])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    function changed() {
      clearTimeout(timer)
      timer = setTimeout(() => setChangeCount(count => count + 1), SETTLE_MS)
    }
    const end = changes.listen({
      edit: changed,
      stale: id => {
        if (id === null || id === podcastId) changed()
      },
    })
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [changes, podcastId])
  return data
}

const PAGE_SIZE = 50
/** Rows of a page when many are fetched, as many as the server sends at once. */
const MAX_PAGE_SIZE = 200

type Props = {
  podcast: KnownPodcast
  overview: PodcastOverview | null
  /** The `id` of the episode to open and scroll to. */
  targetId: string | null
  /** The second of it to show. */
  moment: number | null
  onMark: MarkPodcast
}

/** The episodes of a podcast, with their search and filters. */
function EpisodesSection({ podcast, overview, targetId, moment, onMark }: Props) {
  useSignals()
  const { api } = useApp()
  const { t } = useTranslation()
  const { id } = podcast
  const filters = useListFilters(podcast)
  const { only, order, text } = filters
  const loadPage = useCallback(
    async (cursor: string | null, _: AbortSignal, wanted: number) => {
      const limit = Math.min(Math.max(wanted, PAGE_SIZE), MAX_PAGE_SIZE)
      const query = { ...queries[only], order, limit, ...(text && { text }) }
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
        <SelectionBar selection={selection} list={list} matching={matchingOf(podcast, filters, overview)} />
      ) : (
        <FilterLine filters={filters} counts={overview?.counts} onSelect={selection.begin} />
      )}
      <div className="page-list list-width">
        <EpisodeList
          key={`${targetId ?? 'all'} ${moment}`}
          list={list}
          selection={selection}
          showCover={false}
          podcastNameOf={() => podcast.name}
          loadsRest
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

const queries = {
  all: {},
  new: { new: true },
  unplayed: { unlistened: true },
  downloaded: { downloaded: true },
  liked: { liked: true },
}

/** The filter as the server takes it, and the number of its episodes; absent while that is unknown. */
function matchingOf({ id }: KnownPodcast, { only, text }: Filters, overview: PodcastOverview | null) {
  if (!overview || text) return undefined
  const { new: only_new, unlistened: only_unlistened, ...rest }: EpisodeQuery = queries[only]
  return {
    filter: {
      podcast: id,
      ...rest,
      ...(only_new && { only_new }),
      ...(only_unlistened && { only_unlistened }),
    },
    total: overview.counts[only],
  }
}

function emptyText({ feed_items }: KnownPodcast, { text, only }: Filters, t: TFunction): string {
  if (text) return t('nothing-found')
  if (only === 'downloaded') return t('nothing-downloaded')
  if (only === 'liked') return t('nothing-liked-here')
  if (only === 'new') return t('nothing-new')
  if (only === 'unplayed') return t('all-episodes-played')
  return feed_items ? t('feed-nothing-playable', { count: feed_items }) : t('no-episodes-yet')
}
