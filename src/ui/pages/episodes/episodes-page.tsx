import { useSignals } from '@preact/signals-react/runtime'
import { ArrowDownToLine, Ellipsis, ListChecks, ListX } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearch } from 'wouter'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { PodcastWithExtras } from '../../../shared/api/podcast'
import { ApiError } from '../../api/client'
import { useApp } from '../../app-context'
import { EpisodeList } from '../../library/episodes/episode-list'
import { useEpisodeList } from '../../library/episodes/use-episode-list'
import { FilterChip } from '../../components/filter-chip'
import { Empty, Failed } from '../../components/states'
import { Menu } from '../../components/menu'
import { lazily } from '../../components/lazily'
import { PodcastHeader } from './podcast-header'
import './episodes-page.css'

const NotFoundPage = lazily(async () => (await import('../not-found/not-found-page')).NotFoundPage)

/** How somebody looks at the episodes of a podcast in this browser; `order` null = as the podcast is meant. */
type ListWishes = { unlistened: boolean; downloaded: boolean; order: 'newest' | 'oldest' | null }
const noWishes: ListWishes = { unlistened: false, downloaded: false, order: null }
const nothing = { items: [], next: null }
const TYPING_MS = 250

const wishesKey = (podcastId: string) => `episodes.${podcastId}`
function rememberedWishes(podcastId: string): ListWishes {
  try {
    return { ...noWishes, ...(JSON.parse(localStorage.getItem(wishesKey(podcastId)) ?? '{}') as Partial<ListWishes>) }
  } catch {
    return noWishes
  }
}

/** Seconds, as links to a moment have them; null where there are none. */
function readMoment(search: string): number | null {
  const text = new URLSearchParams(search).get('t') ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) : null
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

/** The text as it was when the typing last paused. */
function useDelayed(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** A podcast: what it is, and its episodes, as many as there are. */
export function EpisodesPage({ podcastId, eid }: { podcastId: string; eid: string | null }) {
  useSignals()
  const { api, library, failed, session, toasts, isConnected } = useApp()
  const { t } = useTranslation()
  const [details, setDetails] = useState<PodcastWithExtras | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [wishes, setWishes] = useState(() => rememberedWishes(podcastId))
  const [words, setWords] = useState('')
  const [target, setTarget] = useState<EpisodeWrapper | null>(null)
  const [isMissing, setMissing] = useState(false)
  const moment = readMoment(useSearch())

  const known = library.byId.value.get(podcastId) ?? details
  const text = useDelayed(words.trim())
  const { unlistened, downloaded } = wishes
  // What is told as one story begins with its first part, once it is known that it is one.
  const order = wishes.order ?? (known ? (known.serial ? 'oldest' : 'newest') : null)
  function wish(change: Partial<ListWishes>) {
    const next = { ...wishes, ...change }
    setWishes(next)
    localStorage.setItem(wishesKey(podcastId), JSON.stringify(next))
  }

  const loadPage = useCallback(
    async (cursor: string | null) => {
      if (order === null) return nothing
      const query = { unlistened, downloaded, order, limit: 50, ...(text && { text }) }
      const { data, nextCursor } = await api.podcasts.episodes(podcastId, query, cursor)
      return { items: data, next: nextCursor }
    },
    [api, podcastId, unlistened, downloaded, order, text],
  )
  const list = useEpisodeList(podcastId, loadPage)
  const load = useCallback(() => {
    setError(null)
    api.podcasts.find(podcastId).then(setDetails, setError)
  }, [api, podcastId])
  const isOnline = isConnected.value
  useEffect(() => {
    if (isOnline) load()
  }, [load, isOnline])
  useEffect(() => {
    setMissing(false)
    setTarget(null)
    if (!eid) return
    const found = (wrapper: EpisodeWrapper) =>
      wrapper.podcastEpisode.podcast_id === podcastId ? setTarget(wrapper) : setMissing(true)
    api.episodes.find(eid).then(found, failure => setMissing(isNotFound(failure)))
  }, [eid, podcastId, api])

  const reloadAll = () => {
    void list.reload()
    void library.load()
  }
  async function mark(finished: boolean, until?: EpisodeWrapper) {
    try {
      const { affected, undo } = await api.podcasts.markListened(podcastId, {
        finished,
        ...(until && { until: until.podcastEpisode.id }),
      })
      const takeBack = () => void api.podcasts.undoListened(podcastId, undo).then(reloadAll, failed)
      toasts.done(
        t(finished ? 'marked-count-played' : 'marked-count-unplayed', { count: affected }),
        affected > 0 ? { label: t('undo'), run: takeBack } : undefined,
      )
      reloadAll()
    } catch (failure) {
      failed(failure)
    }
  }
  async function downloadAll() {
    try {
      const { queued } = await api.podcasts.downloadAll(podcastId)
      toasts.done(t('downloads-queued', { count: queued }))
    } catch (failure) {
      failed(failure)
    }
  }

  const podcast = known
  if (!podcast && isNotFound(error)) return <NotFoundPage what="podcast" />
  if (isMissing) return <NotFoundPage what="episode" podcastId={podcastId} />
  if (!podcast && error) return <Failed error={error} onRetry={load} />
  if (!podcast) return <p role="status" aria-busy="true" aria-label={t('loading')} />
  const emptyText = () => {
    if (text) return t('nothing-found')
    if (downloaded) return t('nothing-downloaded')
    if (unlistened) return t('all-episodes-played')
    return podcast.feed_items > 0 ? t('feed-nothing-playable', { count: podcast.feed_items }) : t('no-episodes-yet')
  }
  return (
    <>
      <PodcastHeader podcast={podcast} extras={details?.extras ?? null} />
      <div className="episodes-tools">
        <h2>
          {text || unlistened || downloaded ? t('episodes') : t('episodes-count', { count: podcast.episode_count })}
        </h2>
        <input
          type="search"
          className="episodes-search"
          placeholder={t('search-in-podcast')}
          aria-label={t('search-in-podcast')}
          maxLength={200}
          value={words}
          onChange={event => setWords(event.target.value)}
        />
        <FilterChip label={t('not-played-yet')} isOn={unlistened} onToggle={isOn => wish({ unlistened: isOn })} />
        <FilterChip label={t('downloaded')} isOn={downloaded} onToggle={isOn => wish({ downloaded: isOn })} />
        <FilterChip
          label={t('oldest-first')}
          isOn={order === 'oldest'}
          onToggle={isOn => wish({ order: isOn ? 'oldest' : 'newest' })}
        />
        <Menu
          icon={Ellipsis}
          label={t('all-episodes')}
          items={[
            { icon: ListChecks, label: t('mark-all-played'), onSelect: () => void mark(true) },
            { icon: ListX, label: t('mark-all-unplayed'), onSelect: () => void mark(false) },
            ...(session.mayUpload.value
              ? [{ icon: ArrowDownToLine, label: t('download-all'), onSelect: () => void downloadAll() }]
              : []),
          ]}
        />
      </div>
      <EpisodeList
        key={`${target?.podcastEpisode.id ?? 'all'} ${moment}`}
        list={list}
        podcastNameOf={() => podcast.name}
        openAtStart={target?.podcastEpisode.id ?? null}
        momentAtStart={moment}
        moreOf={wrapper => [
          { icon: ListChecks, label: t('mark-older-played'), onSelect: () => void mark(true, wrapper) },
        ]}
        empty={<Empty>{emptyText()}</Empty>}
      />
    </>
  )
}
