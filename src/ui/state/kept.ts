import { computed, signal } from '@preact/signals-core'
import type { EpisodeWrapper } from '../../shared/api/episode'
import type { History, Progress } from '../../shared/api/history'
import { withSize } from '../api/client'

const KEY = 'kept'

/** An episode on this device, which takes up `bytes`. */
export type Kept = { wrapper: EpisodeWrapper; podcastName: string; bytes: number }
type Stored = { owner: string; episodes: readonly Kept[] }
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

type Files = {
  isPossible: boolean
  fetch: (address: string, onProgress: (share: number) => void) => Promise<number>
  addPicture: (address: string) => Promise<void>
  addressOf: (address: string) => Promise<string | null>
  remove: (address: string) => Promise<void>
  clear: () => Promise<void>
}

/**
 * The episodes that this browser keeps and plays without the server. They belong to one user: another person who signs
 * in here finds none.
 */
export function createKept(storage: Storage, files: Files) {
  const list = createStoredList(storage)
  const { running, track } = createRunning()

  async function clear() {
    list.write({ owner: '', episodes: [] })
    await files.clear()
  }
  return {
    isPossible: files.isPossible,
    episodes: computed(() => list.stored.value.episodes),
    ids: computed(() => new Set(list.stored.value.episodes.map(idOf))),
    running,

    /** Fetches an episode and its cover. Throws if it cannot be fetched, or if there is no room. */
    async keep(wrapper: EpisodeWrapper, podcastName: string) {
      const eid = wrapper.podcastEpisode.episode_id
      if (!list.find(eid)) await track(eid, onProgress => addEpisode(list, files, { wrapper, podcastName }, onProgress))
    },
    async remove(eid: string) {
      const kept = list.find(eid)
      if (!kept) return
      list.change(episodes => episodes.filter(other => idOf(other) !== eid))
      await files.remove(kept.wrapper.podcastEpisode.local_url)
    },
    /** Finds an address within this page for an episode; null when it is not on this device. */
    async addressOf(eid: string): Promise<string | null> {
      const kept = list.find(eid)
      return kept ? files.addressOf(kept.wrapper.podcastEpisode.local_url) : null
    },
    recordProgress: (progress: Progress) => recordProgress(list, progress),

    isOf: (owner: string) => list.stored.peek().owner === owner,
    /** Makes the kept episodes those of the user who has signed in. Another user's episodes are deleted. */
    async belongTo(owner: string) {
      if (list.stored.peek().owner !== owner) await clear()
      list.write({ ...list.stored.peek(), owner })
    },
    clear,
  }
}

const idOf = ({ wrapper }: Kept) => wrapper.podcastEpisode.episode_id

type OnProgress = (share: number) => void

/** The share of each episode in progress that has arrived, 0 to 1, by `episode_id`. */
function createRunning() {
  const running = signal<ReadonlyMap<string, number>>(new Map())
  const report = (eid: string, share: number) => (running.value = new Map(running.peek()).set(eid, share))
  return {
    running,
    /** Does the work and shows its progress; does nothing for an episode that is already in progress. */
    async track(eid: string, work: (onProgress: OnProgress) => Promise<void>) {
      if (running.peek().has(eid)) return
      report(eid, 0)
      try {
        await work(share => report(eid, share))
      } finally {
        running.value = new Map([...running.peek()].filter(([other]) => other !== eid))
      }
    },
  }
}

async function addEpisode(list: StoredList, files: Files, episode: Omit<Kept, 'bytes'>, onProgress: OnProgress) {
  const { local_url, local_image_url } = episode.wrapper.podcastEpisode
  const bytes = await files.fetch(local_url, onProgress)
  await files.addPicture(withSize(local_image_url, 256))
  try {
    list.change(episodes => [...episodes, { ...episode, wrapper: withoutNotes(episode.wrapper), bytes }])
  } catch (error) {
    await files.remove(local_url)
    throw error
  }
}

/** Records a position, for use without the server. */
function recordProgress(list: StoredList, progress: Progress) {
  const kept = list.find(progress.podcastEpisodeId)
  if (!kept) return
  const { podcastEpisode, podcastHistoryItem } = kept.wrapper
  const wrapper = { podcastEpisode, podcastHistoryItem: afterProgress(podcastHistoryItem, progress) }
  try {
    list.change(episodes => episodes.map(other => (idOf(other) === idOf(kept) ? { ...kept, wrapper } : other)))
  } catch {
    // There is no room for it; the server gets the position anyway.
  }
}

/** Notes may be long, and the room for the list is small. */
const withoutNotes = (wrapper: EpisodeWrapper): EpisodeWrapper => ({
  ...wrapper,
  podcastEpisode: { ...wrapper.podcastEpisode, description: '' },
})

export const afterProgress = (
  known: History | null | undefined,
  { time, total, timestamp, finished }: Progress,
): History => ({
  podcast: '',
  episode: '',
  guid: null,
  action: 'play',
  started: null,
  device: '',
  ...known,
  timestamp: timestamp ?? new Date().toISOString(),
  position: time,
  total: total ?? known?.total ?? null,
  finished: finished ?? (!!total && time >= total),
})

type StoredList = ReturnType<typeof createStoredList>

/** The list in the browser's storage, and a signal of it. */
function createStoredList(storage: Storage) {
  const stored = signal(read())

  function read(): Stored {
    const empty: Stored = { owner: '', episodes: [] }
    try {
      return { ...empty, ...(JSON.parse(storage.getItem(KEY) ?? '{}') as Partial<Stored>) }
    } catch {
      return empty
    }
  }
  /** Throws when there is no room. */
  function write(next: Stored) {
    if (next.episodes.length === 0 && next.owner === '') storage.removeItem(KEY)
    else storage.setItem(KEY, JSON.stringify(next))
    stored.value = next
  }
  return {
    stored,
    write,
    find: (eid: string) => stored.peek().episodes.find(kept => idOf(kept) === eid),
    /** Edits what is stored, rather than what this tab knows: another tab may have kept something in the meantime. */
    change(edit: (episodes: readonly Kept[]) => readonly Kept[]) {
      const now = read()
      write({ ...now, episodes: edit(now.episodes) })
    },
  }
}
