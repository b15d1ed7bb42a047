import { withSize } from '../api/cover'
import { computed, signal } from '@preact/signals-core'
import type { EpisodeWrapper } from '../../shared/api/episode'
import type { Progress } from '../../shared/api/history'

const KEY = 'kept'
const CACHE = 'castellan-kept'

/** An episode on this device. `bytes`: how much room it takes. */
export type Kept = { wrapper: EpisodeWrapper; podcastName: string; bytes: number }
type Stored = { owner: string; episodes: Kept[] }

/**
 * Episodes that lie in this browser and play without the server. They belong to one user: another who signs in here finds
 * none. Needs https (or this very machine), as everything that stays in a browser does.
 */
export function createKept(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  const isPossible = 'caches' in globalThis && 'serviceWorker' in navigator
  const stored = signal(read())
  /** How much of what is being fetched is here, 0 to 1, by `episode_id`. */
  const running = signal<ReadonlyMap<string, number>>(new Map())

  function read(): Stored {
    try {
      return { owner: '', episodes: [], ...(JSON.parse(storage.getItem(KEY) ?? '{}') as Partial<Stored>) }
    } catch {
      return { owner: '', episodes: [] }
    }
  }
  /** Throws where there is no room for the list. */
  function write(next: Stored) {
    if (next.episodes.length === 0 && next.owner === '') storage.removeItem(KEY)
    else storage.setItem(KEY, JSON.stringify(next))
    stored.value = next
  }
  /** From what is stored, not from what this tab knows: another one may have kept something meanwhile. */
  function change(edit: (episodes: Kept[]) => Kept[]) {
    const now = read()
    write({ ...now, episodes: edit(now.episodes) })
  }
  function report(eid: string, share: number | null) {
    const next = new Map(running.peek())
    if (share === null) next.delete(eid)
    else next.set(eid, share)
    running.value = next
  }
  const find = (eid: string) => stored.peek().episodes.find(({ wrapper }) => wrapper.podcastEpisode.episode_id === eid)

  async function clear() {
    write({ owner: '', episodes: [] })
    if (isPossible) await caches.delete(CACHE)
  }

  return {
    isPossible,
    episodes: computed(() => stored.value.episodes),
    ids: computed(() => new Set(stored.value.episodes.map(({ wrapper }) => wrapper.podcastEpisode.episode_id))),
    running,

    /** Fetches an episode and its cover. Throws where it cannot be had, or where there is no room. */
    async keep(wrapper: EpisodeWrapper, podcastName: string) {
      const { episode_id: eid, local_url, local_image_url } = wrapper.podcastEpisode
      if (find(eid) || running.peek().has(eid)) return
      report(eid, 0)
      try {
        const { fetchInto } = await import('./fetch-into')
        const cache = await caches.open(CACHE)
        const bytes = await fetchInto(cache, local_url, share => report(eid, share))
        await cache.add(withSize(local_image_url, 256)).catch(() => undefined)
        // Notes may be long, and the room for lists is small.
        const brief = { ...wrapper, podcastEpisode: { ...wrapper.podcastEpisode, description: '' } }
        try {
          change(episodes => [...episodes, { wrapper: brief, podcastName, bytes }])
        } catch (error) {
          await cache.delete(local_url)
          throw error
        }
      } finally {
        report(eid, null)
      }
    },

    async remove(eid: string) {
      const kept = find(eid)
      if (!kept) return
      change(episodes => episodes.filter(other => idOf(other) !== eid))
      const cache = await caches.open(CACHE)
      await cache.delete(kept.wrapper.podcastEpisode.local_url)
    },

    /** An address within this page for what is here; null where it is not. */
    async addressOf(eid: string): Promise<string | null> {
      const kept = find(eid)
      if (!kept) return null
      const found = await caches.match(kept.wrapper.podcastEpisode.local_url, { cacheName: CACHE })
      return found ? URL.createObjectURL(await found.blob()) : null
    },

    /** Where its listener is, for when the server cannot tell. */
    heard({ podcastEpisodeId, time, total, timestamp }: Progress) {
      const kept = find(podcastEpisodeId)
      if (!kept) return
      const { podcastEpisode, podcastHistoryItem } = kept.wrapper
      const history = {
        podcast: '',
        episode: '',
        guid: null,
        action: 'play',
        started: null,
        device: '',
        ...podcastHistoryItem,
        timestamp: timestamp ?? new Date().toISOString(),
        position: time,
        total: total ?? podcastHistoryItem?.total ?? null,
        finished: !!total && time >= total,
      } as const
      const fresh = { ...kept, wrapper: { podcastEpisode, podcastHistoryItem: history } }
      try {
        change(episodes => episodes.map(other => (idOf(other) === podcastEpisodeId ? fresh : other)))
      } catch {
        // The server is told all the same.
      }
    },

    isOf: (owner: string) => stored.peek().owner === owner,
    /** Who uses this browser now. What somebody else has kept goes. */
    async belongTo(owner: string) {
      if (stored.peek().owner !== owner) await clear()
      write({ ...stored.peek(), owner })
    },
    clear,
  }
}
const idOf = ({ wrapper }: Kept) => wrapper.podcastEpisode.episode_id
