import { useSignals } from '@preact/signals-react/runtime'
import { Pause, Play } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import type { PodcastOverview } from '../../../shared/api/episode'
import type { KnownPodcast } from '../../../shared/api/podcast'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/buttons'
import { lazily } from '../../components/lazily'
import { PageHeader, useIsBehindBar } from '../../components/page-header'
import { Failed } from '../../components/states'
import { routes } from '../../routes'
import { useResource } from '../../use-resource'
import { EpisodeSkeleton } from '../../library/episodes/episode-list'
import { EpisodesSection } from './episodes-section'
import { PodcastHeader } from './podcast-header'
import { usePodcastMarking } from '../../library/episodes/use-bulk-actions'

const NotFound = lazily(async () => (await import('../../library/not-found')).NotFound)
const PodcastAside = lazily(async () => (await import('./podcast-menu')).PodcastAside)
const LiveNotice = lazily(async () => (await import('./live-notice')).LiveNotice)

/** A podcast and its episodes. `eid`: the episode that is opened and scrolled to. */
export function EpisodesPage({ podcastId, eid }: { podcastId: string; eid: string | null }) {
  useSignals()
  const { library } = useApp()
  const details = useDetails(podcastId)
  const target = useTarget(podcastId, eid)
  const moment = readMoment(useSearch())
  const overview = useOverview(podcastId)
  const onMark = usePodcastMarking(podcastId)
  const header = useRef<HTMLElement>(null)
  const [isWide] = useState(() => matchMedia('(width >= 1280px)').matches)
  const listed = library.byId.value.get(podcastId)
  const whole = details.data?.id === podcastId ? details.data : null
  const podcast = useMemo(() => (listed && whole ? { ...whole, ...listed } : (listed ?? whole)), [listed, whole])

  const summary = podcast?.summary ?? ''
  const about = useMemo(() => plainText(summary), [summary])

  if (isNotFound(details.error)) return <NotFound what="podcast" goneId={podcastId} />
  if (target.isMissing) return <NotFound what="episode" podcastId={podcastId} />
  if (!podcast && details.error !== null) return <Failed error={details.error} onRetry={() => void details.retry()} />
  if (!podcast) return <Waiting />
  const extras = details.data?.extras ?? null
  return (
    <>
      <Bar podcast={podcast} overview={overview} headerRef={header} />
      <PodcastHeader
        podcast={podcast}
        extras={extras}
        about={about}
        overview={overview}
        onMark={onMark}
        headerRef={header}
      />
      {extras?.live && <LiveNotice podcast={podcast} items={extras.live} />}
      <div className="podcast-columns stack single">
        <div className="shrinks">
          <EpisodesSection podcast={podcast} overview={overview} targetId={target.id} moment={moment} onMark={onMark} />
        </div>
        {isWide && extras && <PodcastAside podcast={podcast} persons={extras.persons} />}
      </div>
    </>
  )
}

/** The page until its podcast is known. */
function Waiting() {
  return (
    <div className="page-list list-width">
      <PageHeader title="" back={useBack()} />
      <EpisodeSkeleton count={8} showCover={false} />
    </div>
  )
}

/** The words of sanitised HTML, in one line. */
function plainText(html: string): string {
  const spaced = html.replace(/<(br|\/p|\/li|\/h\d)\b/gi, ' $&')
  const { textContent } = new DOMParser().parseFromString(spaced, 'text/html').body
  return (textContent ?? '').replace(/\s+/g, ' ').trim()
}

type BarProps = { podcast: KnownPodcast; overview: PodcastOverview | null; headerRef: RefObject<HTMLElement | null> }

/** The page's part of the top bar: the way back, and name and play button once the header has scrolled away. */
function Bar({ podcast, overview, headerRef }: BarProps) {
  useSignals()
  const { player, failed } = useApp()
  const { t } = useTranslation()
  const back = useBack()
  const isClear = useIsBehindBar(headerRef)
  const isHere = player.current.value?.podcastId === podcast.id
  const next = overview?.next?.episode
  const isPlaying = isHere && player.isPlaying.value
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

/** The list that the page was opened from. */
function useBack() {
  const { t } = useTranslation()
  const [location] = useLocation()
  return location.startsWith(routes.favorites)
    ? { to: routes.favorites, label: t('favorites') }
    : { to: routes.podcasts, label: t('all-subscriptions') }
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
