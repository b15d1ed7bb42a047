import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { Playlist } from '../../../shared/api/playlist'
import { type AppState, useApp } from '../../app-context'
import type { Sorting } from '../../library/episodes/episode-list'
import { useQueueing } from '../../library/episodes/use-bulk-actions'
import { translate } from '../../i18n'
import type { PagedList } from '../../state/paged-list'
import { moved } from '../../state/queue'
import { shuffled } from '../../state/queues'

type Named = Pick<Playlist, 'id' | 'name'>

/**
 * Returns functions that play the episodes of a playlist, queue them and keep them on this device. What the player can't
 * reach without the server is skipped.
 */
export function usePlaylistActions() {
  const app = useApp()
  const { api, player, queue, toasts, failed, beginIn } = app
  const { t } = useTranslation()
  const queueing = useQueueing()

  /** Plays the first of some episodes, of a playlist or of none, and puts the others at the head of the queue. */
  async function play(playlist: Named | null, wanted: readonly EpisodeWrapper[]) {
    const [first, ...rest] = wanted.filter(wrapper => isReachable(app, wrapper))
    const skipped = wanted.length - rest.length - (first ? 1 : 0)
    if (skipped > 0) toasts.failed(t('playlist-skipped', { count: skipped }))
    if (!first) return
    try {
      const restore = await queue.replace([...rest, ...queue.items.peek()])
      if (playlist) beginIn(playlist, first.podcastEpisode.id)
      await player.play(first, nameOf(app, first))
      if (rest.length > 0)
        toasts.done(t('queued-count', { count: rest.length }), {
          label: t('undo'),
          run: () => void restore().catch(failed),
        })
    } catch (error) {
      failed(error)
    }
  }
  /** Continues a playlist where its listener is, without what was played. */
  function resume({ items, ...playlist }: Named & Pick<Playlist, 'items'>) {
    const { place, isCurrent } = placeIn(items, player.current.peek()?.episode.id)
    if (isCurrent) return player.toggle()
    const left = items.slice(place).filter(({ podcastHistoryItem }) => !podcastHistoryItem?.finished)
    return void play(playlist, left.length > 0 ? left : items)
  }
  function shuffle({ items, ...playlist }: Named & Pick<Playlist, 'items'>) {
    const open = items.filter(({ podcastHistoryItem }) => !podcastHistoryItem?.finished)
    void play(playlist, shuffled(open.length > 0 ? open : items))
  }
  const queueAll = (items: readonly EpisodeWrapper[]) =>
    queueing(() => api.queue.reorder({ items: orderOf([...queue.items.peek(), ...items]) }))

  return { play, resume, shuffle, queueAll, downloadAll: mayDownload(app) ? downloadAll(app) : null }
}

const nameOf = ({ library }: AppState, { podcastEpisode }: EpisodeWrapper) =>
  library.byId.peek().get(podcastEpisode.podcast_id)?.name ?? ''

const isReachable = ({ isConnected, kept }: AppState, { podcastEpisode }: EpisodeWrapper) =>
  isConnected.peek() || kept.ids.peek().has(podcastEpisode.episode_id)

const mayDownload = ({ kept, session }: AppState) => kept.isPossible || session.mayUpload.peek()

/** Keeps episodes on this device; a browser that can't keep any has the server download them. */
const downloadAll = (app: AppState) => async (items: readonly EpisodeWrapper[]) => {
  const { api, kept, toasts, failed } = app
  try {
    if (!kept.isPossible) {
      const { queued } = await api.episodes.batch.download(items.map(({ podcastEpisode }) => podcastEpisode.id))
      toasts.done(translate('downloads-queued', { count: queued }))
      return
    }
    const missing = items.filter(({ podcastEpisode }) => !kept.ids.peek().has(podcastEpisode.episode_id))
    if (missing.length > 0) toasts.done(translate('downloading-count', { count: missing.length }))
    for (const wrapper of missing) await kept.keep(wrapper, nameOf(app, wrapper))
    toasts.done(translate('on-device-count', { count: items.length }))
  } catch (error) {
    failed(error)
  }
}

/** Returns a function that removes an episode from a playlist, which can be undone. */
export function useRemoval(playlist: Playlist | null, list: PagedList<EpisodeWrapper>) {
  const { api, toasts, failed } = useApp()
  const { t } = useTranslation()
  return async ({ podcastEpisode }: EpisodeWrapper) => {
    if (!playlist) return
    const { id, name } = playlist
    const items = orderOf(list.items.peek())
    const takeBack = () => api.playlists.replace(id, { name, items }).then(list.reload)
    try {
      await api.playlists.removeItem(id, podcastEpisode.id)
      await list.reload()
      toasts.done(t('removed-from-playlist'), { label: t('undo'), run: () => void takeBack().catch(failed) })
    } catch (error) {
      failed(error)
    }
  }
}

/**
 * Lets the rows of a playlist be dragged, once its code is loaded; null for one that fills itself. Moves are saved one
 * after the other.
 */
export function useSorting(playlist: Playlist | null, list: PagedList<EpisodeWrapper>): Sorting | null {
  const { api, failed } = useApp()
  const [parts, setParts] = useState<Omit<Sorting, 'onMove'> | null>(null)
  const saved = useRef<Promise<unknown>>(Promise.resolve())
  const isChosen = playlist !== null && playlist.rules === null
  useEffect(() => {
    // Without it, the editor puts episodes in order.
    if (isChosen) void import('./sorted-rows').then(setParts, () => undefined)
  }, [isChosen])
  if (!isChosen || !parts) return null
  function onMove(from: number, to: number) {
    const order = moved(list.items.peek(), from, to)
    const [episode, next] = [order[to]!.podcastEpisode.id, order[to + 1]?.podcastEpisode.id ?? null]
    list.arrange(order)
    saved.current = saved.current
      .then(() => api.playlists.place(playlist!.id, episode, next))
      .catch(error => {
        failed(error)
        return list.reload()
      })
  }
  return { ...parts, onMove }
}

/** Each episode once: the server keeps the first mention. */
export const orderOf = (items: readonly Pick<EpisodeWrapper, 'podcastEpisode'>[]) =>
  [...new Set(items.map(({ podcastEpisode }) => podcastEpisode.id))].map(episode => ({ episode }))

/**
 * The place in a playlist where its listener is: the episode in the player, else the first that was begun, else the
 * first that wasn't played. `isBegun`: something of the playlist was played.
 */
export function placeIn(items: readonly EpisodeWrapper[], playing: string | undefined) {
  const current = items.findIndex(({ podcastEpisode }) => podcastEpisode.id === playing)
  const begun = items.findIndex(isStarted)
  const open = items.findIndex(({ podcastHistoryItem }) => !podcastHistoryItem?.finished)
  const place = [current, begun, open].find(found => found !== -1) ?? 0
  return { place, isCurrent: current !== -1, isBegun: current !== -1 || begun !== -1 || open > 0 }
}

const isStarted = ({ podcastHistoryItem: history }: EpisodeWrapper) =>
  !history?.finished && (history?.position ?? 0) > 0

/** Sums up a playlist: all of its seconds, and those that are left. */
export function lengthOf(items: readonly EpisodeWrapper[]) {
  const total = items.reduce((sum, item) => sum + totalOf(item), 0)
  const left = items.reduce((sum, item) => sum + leftOf(item), 0)
  return { total, left }
}

const totalOf = ({ podcastEpisode, podcastHistoryItem }: EpisodeWrapper) =>
  podcastHistoryItem?.total || podcastEpisode.total_time

/** The seconds of an episode that its listener has not played; 0 = unknown, or finished. */
function leftOf(item: EpisodeWrapper) {
  const { podcastHistoryItem: history } = item
  return history?.finished ? 0 : Math.max(0, totalOf(item) - (history?.position ?? 0))
}
