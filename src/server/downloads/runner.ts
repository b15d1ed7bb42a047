import { type BegunWork, setAsideMessage, type WorkItem } from '../begun-work'
import { logFailure } from '../platform/log'
import type { DownloadRow } from '../store/downloads'
import { attempt, type AttemptNeeds, bootId, Interrupted, type Outcome, settle } from './attempt'
import {
  createGauge,
  downloadLimits,
  type Gauge,
  type Progress,
  publishProgress,
  startProgress,
  stepsAside,
  tick,
} from './pace'
import { chooseTurns, placesOf, type Runner } from './turns'

export type RunnerNeeds = Omit<AttemptNeeds, 'announce'> & {
  /** Returns the number of downloads that run at once. */
  parallel: () => number
  begun: BegunWork
}

/** `host`: the one that is expected to deliver the file. */
type Running = { abort: AbortController; host: string; progress: Progress; gauge: Gauge; ended: Promise<void> }

type State = {
  needs: RunnerNeeds
  running: Map<number, Running>
  delivery: Delivery
  /** Downloads that stepped aside and have not ended since. */
  aside: Set<number>
  isStopping: boolean
  wasPresent: boolean
  pumping: Promise<void> | null
}

/** Runs the downloads queued in the database: a few at once, and fewer of one host. */
export function createRunner(needs: RunnerNeeds) {
  const state: State = {
    needs,
    running: new Map(),
    delivery: createDelivery(),
    aside: new Set(),
    isStopping: false,
    wasPresent: true,
    pumping: null,
  }
  const { running } = state
  const requeueAll = async () => {
    await Promise.all([...running.keys()].map(id => interrupt(state, id, 'queued')))
  }
  return {
    /** Starts what may start now. Cheap when there is nothing to do; called after every change and by a job. */
    pump: () => pump(state),
    /** Whether the media folder and the storage of new files are there; downloads wait while they are not. */
    hasMediaFolder: () => hasMediaFolder(state),
    announce: (id: number) => announce(state, id),
    /** Stops a download, if it runs, and returns when it has stopped. */
    interrupt: (id: number, outcome: Outcome) => interrupt(state, id, outcome),
    requeueAll,
    /** The figures of a download that runs. */
    live: (id: number): Progress | null => running.get(id)?.progress ?? null,
    /** Waits until nothing runs any more. */
    async settled() {
      while (running.size > 0 || state.pumping)
        await Promise.all([state.pumping, ...[...running.values()].map(({ ended }) => ended)])
    },
    /** Stops all downloads; they resume at the next start. */
    async stop() {
      state.isStopping = true
      await requeueAll()
    },
  }
}

function pump(state: State) {
  const { needs, running } = state
  const { store } = needs
  if (state.isStopping) return
  if (!store.isWritable()) return pumpLater(state)
  store.downloads.requeueLost([...running.keys()])
  if (!store.settings.downloadsPaused() && hasMediaFolder(state)) takeTurns(state)
}

/** Starts what may start once no other process writes. */
function pumpLater(state: State) {
  state.pumping ??= state.needs.store.whenWritable().then(() => {
    state.pumping = null
    pump(state)
  })
}

function takeTurns(state: State) {
  const { needs, running, delivery, aside } = state
  const { downloads } = needs.store
  const runners = [...running].map(([id, entry]) => runnerOf(needs, id, entry))
  const ready = downloads
    .ready(needs.now())
    .filter(({ id }) => !running.has(id))
    .map(({ id, podcast_id, enclosure_url }) => ({
      id,
      host: delivery.hostOf(podcast_id, enclosure_url),
      isFresh: !aside.has(id),
    }))
  const turns = chooseTurns(ready, runners, placesOf(needs.parallel()))
  for (const { id, host } of turns.start) start(state, downloads.find(id)!, host)
  for (const id of turns.stepAside) {
    const entry = running.get(id)!
    aside.add(id)
    entry.abort.abort(stepsAside(entry.gauge.speed() ?? 0))
  }
}

function runnerOf({ elapsed }: RunnerNeeds, id: number, { host, progress, gauge, abort }: Running): Runner {
  gauge.note(elapsed(), progress.received)
  return {
    id,
    host: progress.host ?? host,
    speed: gauge.speed(),
    isReceiving: !progress.isReceived,
    isLeaving: abort.signal.aborted,
  }
}

function start(state: State, row: DownloadRow, host: string) {
  const { needs, running } = state
  const item = itemOf(row)
  if (!needs.begun.begin(item)) return setAside(state, row)
  const progress = startProgress(row)
  const entry: Running = {
    abort: new AbortController(),
    host,
    progress,
    gauge: createGauge(needs.elapsed(), progress.received),
    ended: Promise.resolve(),
  }
  running.set(row.id, entry)
  needs.store.downloads.start(row.id, needs.now(), bootId)
  const stopTicker = startTicker(state, row.id, progress)
  entry.ended = run(state, row, entry).finally(() => {
    stopTicker()
    needs.begun.end(item)
    running.delete(row.id)
    if (progress.host !== null) state.delivery.learn(row.podcast_id, row.enclosure_url, progress.host)
    if (progress.isReceived) state.aside.delete(row.id)
    pump(state)
  })
  announce(state, row.id)
}

export const itemOf = ({ episode_id, episode_title }: DownloadRow): WorkItem => ({
  kind: 'download',
  key: String(episode_id),
  label: episode_title,
})

/** Fails a download in the middle of which the server stopped twice; a person may try it again. */
function setAside(state: State, row: DownloadRow) {
  const failure = { code: 'set-aside', message: setAsideMessage } as const
  state.needs.store.downloads.giveUp(row.id, row.attempts, failure, state.needs.now())
  announce(state, row.id)
}

/** Makes an attempt and records how it ended; never throws. */
async function run(state: State, row: DownloadRow, { progress, abort }: Running) {
  const { needs } = state
  const withAnnounce = { ...needs, announce: (id: number) => announce(state, id) }
  await attempt(withAnnounce, row, progress, abort.signal)
    .catch(async error => {
      await settle(needs, row, error)
      if (!state.isStopping) announce(state, row.id)
    })
    .catch(logFailure(needs.log, 'result of a download could not be recorded'))
}

function startTicker(state: State, id: number, progress: Progress) {
  const { progressMs } = { ...downloadLimits, ...state.needs.limits }
  const ticker = setInterval(() => {
    if (tick(progress, progressMs)) announce(state, id)
  }, progressMs)
  return () => clearInterval(ticker)
}

const announce = ({ needs, running }: State, id: number) => publishProgress(needs, id, running.get(id)?.progress)

async function interrupt({ running }: State, id: number, outcome: Outcome) {
  const entry = running.get(id)
  if (!entry) return
  entry.abort.abort(new Interrupted(outcome))
  await entry.ended
}

function hasMediaFolder(state: State): boolean {
  const { files, log } = state.needs
  const { folder } = files
  const isPresent = folder.isPresent()
  if (isPresent && !state.wasPresent)
    log.info('Media folder can be reached again: downloads resume', { folder: folder.root })
  if (!isPresent && state.wasPresent)
    log.error('Media folder is missing: downloads wait until it is mounted', { folder: folder.root })
  state.wasPresent = isPresent
  // A storage in the network reports on its own whether it can be reached.
  return isPresent && files.current.isPresent()
}

/** A host name as a segment of a path. File names in the paths of prefixes end in a digit. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,18}(?::\d{1,5})?$/i
const MAX_LEARNED = 5000

/**
 * The host that an address leads to behind services that count downloads: these have the rest of the address in their
 * path, possibly several nested. `https://dts.podtrac.com/redirect.mp3/pdst.fm/e/traffic.megaphone.fm/A.mp3` belongs to
 * traffic.megaphone.fm.
 */
export function hostBehindPrefixes(address: string): string {
  const url = URL.parse(address)
  if (!url) return ''
  // A shortcut: most addresses have no prefix, and a queue may be long.
  const { pathname } = url
  if (!pathname.includes('%') && pathname.lastIndexOf('/') < pathname.indexOf('.')) return url.host
  const folders = decoded(pathname).split('/').slice(0, -1)
  return folders.findLast(folder => HOST.test(folder))?.toLowerCase() ?? url.host
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

type Delivery = ReturnType<typeof createDelivery>

/** Knows which hosts really deliver the files of podcasts, by the redirects of earlier downloads. */
export function createDelivery() {
  const learned = new Map<string, string>()
  return {
    /** The host that delivered the last file from such an address, else the one behind its prefixes. */
    hostOf(podcastId: number, address: string): string {
      const host = hostBehindPrefixes(address)
      return learned.get(`${podcastId} ${host}`) ?? host
    },
    learn(podcastId: number, address: string, host: string) {
      const key = `${podcastId} ${hostBehindPrefixes(address)}`
      learned.delete(key)
      learned.set(key, host)
      if (learned.size > MAX_LEARNED) learned.delete(learned.keys().next().value!)
    },
  }
}
