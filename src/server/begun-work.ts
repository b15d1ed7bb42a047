import type { WorkKind } from '../shared/api/job'
import type { Clock } from './platform/clock'
import type { Log } from './platform/log'
import type { Store } from './store'
import type { BegunRow } from './store/upkeep'

// Why: docs/internals/decisions/0059

/**
 * An item of work: what is done, and to what. `label` names it for people. `deaths`: those of the batch that it belongs
 * to.
 */
export type WorkItem = { kind: WorkKind; key: string; label: string; deaths?: number }

export type BegunWork = ReturnType<typeof createBegunWork>

/** Deaths of the process after which its work is not begun again. */
const MAX_DEATHS = 2

/** The message that people read about work that was set aside. */
export const setAsideMessage = 'Set aside: the server stopped twice while it worked on this. Try again when you like.'

/**
 * Keeps work that kills the process from killing it at every start. Each item is noted before it begins and forgotten
 * when it ends. What two deaths interrupted is set aside until a person tries it again. `isServer` false: the command
 * line does what a person has just asked for, and notes nothing.
 */
export function createBegunWork({
  store,
  now,
  log,
  isServer,
}: {
  store: Store
  now: Clock
  log: Log
  isServer: boolean
}) {
  let isStopping = false

  /** Notes that an item begins. Returns false if it was set aside. Safe within a transaction. */
  function begin({ kind, key, label, deaths = 0 }: WorkItem): boolean {
    if (!isServer) return true
    if (isSetAside(store.begunWork.find(kind, key))) return false
    if (!isStopping) store.begunWork.begin({ kind, key, label, deaths }, now())
    return true
  }
  function end({ kind, key }: Pick<WorkItem, 'kind' | 'key'>) {
    // A row that stays adds at most one death; the next run of the same item removes it.
    if (isServer) void store.write(() => store.begunWork.remove(kind, key)).catch(() => undefined)
  }
  return {
    begin,
    end,
    /** Runs work between `begin` and `end`; if the item was set aside, returns what `otherwise` does. */
    async run<T>(item: WorkItem, work: () => Promise<T>, otherwise: () => T | Promise<T>): Promise<T> {
      if (!(await store.write(() => begin(item)))) return otherwise()
      try {
        return await work()
      } finally {
        end(item)
      }
    },
    isSetAside: (kind: WorkKind, key: string) => isSetAside(store.begunWork.find(kind, key)),
    /** Whether a death interrupted this item once. */
    wasInterrupted: (kind: WorkKind, key: string) => (store.begunWork.find(kind, key)?.deaths ?? 0) > 0,
    listSetAside: store.begunWork.listSetAside,
    /** Forgets that an item was set aside: a person has just asked for it. */
    retry: ({ kind, key }: Pick<WorkItem, 'kind' | 'key'>) =>
      isSetAside(store.begunWork.find(kind, key)) && store.begunWork.remove(kind, key),
    /** Makes an item that was set aside due again. Returns false if it is not set aside. */
    tryAgain: (item: Pick<WorkItem, 'kind' | 'key'>) => tryAgain(store, item, now()),
    /** Once at the start, before anything resumes: counts the death of the process before this one. */
    recover() {
      const before = new Set(store.begunWork.listSetAside().map(idOf))
      store.inTransaction(() => store.begunWork.countDeaths(MAX_DEATHS, now()))
      for (const row of store.begunWork.listSetAside())
        if (!before.has(idOf(row)))
          log.warn('Set aside: the server stopped twice while working on it', { kind: row.kind, item: row.label })
    },
    /** Called first in a clean stop: what it interrupts resumes, and no death is counted. */
    stopping() {
      isStopping = true
      void store.write(() => store.begunWork.stopAll()).catch(() => undefined)
    },
  }
}

/** How an item becomes due again, if it isn't enough to forget that it was set aside. */
const makeDue: Partial<Record<WorkKind, (store: Store, key: string, now: number) => void>> = {
  color: ({ covers }, digest) => covers.setColor(digest, null),
  cover: ({ covers, podcasts }, key, now) => {
    const at = key.indexOf(' ')
    const podcast = podcasts.find(Number(key.slice(0, at)))
    if (podcast) covers.fail(podcast.id, key.slice(at + 1), now)
  },
  document: ({ documents }, uuid, now) => documents.retry(uuid, now),
  download: ({ downloads }, episodeId) => {
    const row = downloads.findOfEpisode(Number(episodeId))
    if (row?.state === 'failed') downloads.setState(row.id, 'queued')
  },
  feed: ({ podcasts }, id) => podcasts.ask(Number(id)),
  import: reopen,
  index: ({ search }, episodeId) => search.drop(Number(episodeId)),
  rename: reopen,
  sidecar: ({ episodes, sidecars }, id) => {
    const episode = episodes.find(Number(id))
    if (episode) sidecars.recheck(episode.podcast_id)
  },
  transcription: ({ transcriptions, episodes }, id, now) => {
    if (episodes.find(Number(id))?.file_path) transcriptions.request(Number(id), now)
  },
}

function reopen({ jobs }: Store, key: string) {
  const [jobId, place] = key.split(' ').map(Number) as [number, number]
  jobs.reopen(jobId, place)
}

/** Makes an item that was set aside due again, for the server or for `castellan doctor --repair`. */
export const tryAgain = (store: Store, { kind, key }: Pick<WorkItem, 'kind' | 'key'>, now: number): boolean =>
  store.inTransaction(() => {
    if (!isSetAside(store.begunWork.find(kind, key))) return false
    store.begunWork.remove(kind, key)
    makeDue[kind]?.(store, key, now)
    return true
  })

const isSetAside = (row: BegunRow | null) => row !== null && row.set_aside_at !== null
const idOf = ({ kind, key }: BegunRow) => `${kind} ${key}`
