import { extname } from 'node:path'
import { setAsideMessage } from '../begun-work'
import { DAY } from '../platform/clock'
import { logFailure } from '../platform/log'
import { Problem } from '../platform/problem'
import type { JobItemRow, JobRow } from '../store/jobs'
import { renameItem, type RenameNeeds } from './rename-item'
import type { Naming } from '../../shared/api/settings'
import type { Store } from '../store'
import type { Names } from './names'

export type Renaming = ReturnType<typeof createRename>

/** Choice for a rename run: give files the names of the settings, read them again, or both. */
type RescanWish = { applyFilenames: boolean; applyMetadata: boolean }

type State = {
  needs: RenameNeeds
  /** The rename runs in progress, by job id. */
  running: Map<number, Promise<void>>
  /** The file that is being moved or read at this moment. */
  current: { episodeId: number; done: Promise<unknown> } | null
  isStopping: boolean
}

/** Finished runs and imports are listed this long. */
const LISTED_MS = 7 * DAY

/**
 * Rename runs: they give downloaded files the names that the settings ask for now. The list is in the database before
 * the first file moves, each target before its move and each episode after it, so that a killed process can resume.
 */
export function createRename(needs: RenameNeeds) {
  const { store, now } = needs
  const state: State = { needs, running: new Map(), current: null, isStopping: false }
  const settled = async () => void (await Promise.all(state.running.values()))
  return {
    plan: () => planRenames(needs),
    start: (userId: number, wish: RescanWish) => start(state, userId, wish),
    /** Continues the rename runs that a restart or a missing media folder interrupted. */
    resume() {
      store.removeEach('job', store.jobs.olderThan(now() - LISTED_MS))
      for (const job of store.jobs.running()) if (job.kind === 'rename') launch(state, job)
    },
    isMoving: (episodeId: number) => state.current?.episodeId === episodeId,
    /** Waits for a rename of one of these episodes' files to finish: deleting a file needs its path. */
    async finished(isConcerned: (episodeId: number) => boolean) {
      while (state.current && isConcerned(state.current.episodeId)) await state.current.done.catch(() => undefined)
    },
    /** Waits for all rename runs to finish. */
    settled,
    async stop() {
      state.isStopping = true
      await settled()
    },
  }
}

/** Starts a rename run. Throws `already-running` while another one is in progress. */
function start(state: State, userId: number, wish: RescanWish): JobRow {
  const { store, files, now } = state.needs
  if (store.jobs.running().some(job => job.kind === 'rename'))
    throw new Problem('already-running', 'A rename run is already in progress', { kind: 'rename' })
  files.requireAll(store.episodes.storagesInUse())
  const { items, folders } = listItems(state.needs, wish)
  const job = store.inTransaction(() => {
    // Downloads that finish from now on go to the new folders.
    store.podcasts.setFolders(folders)
    return store.jobs.add(userId, 'rename', items, now())
  })
  launch(state, job)
  return job
}

/** The files that a run moves; if it reads them again, all files. */
function listItems(needs: RenameNeeds, { applyFilenames, applyMetadata }: RescanWish) {
  const { renames, folders } = applyFilenames ? planRenames(needs) : { renames: [], folders: [] }
  const targets = new Map(renames.map(({ episodeId, to }) => [episodeId, to]))
  const concerned = applyMetadata
    ? needs.store.episodes.allWithFiles()
    : renames.map(({ episodeId, from }) => ({ id: episodeId, file_path: from }))
  const items = concerned.map(({ id, file_path }) => ({
    feedUrl: '',
    title: file_path,
    tags: [],
    episodeId: id,
    targetPath: targets.get(id) ?? file_path,
    withMetadata: applyMetadata,
  }))
  return { items, folders }
}

function launch(state: State, job: JobRow) {
  if (state.running.has(job.id)) return
  const done = run(state, job)
    .catch(logFailure(state.needs.log, 'rename run failed'))
    .finally(() => state.running.delete(job.id))
  state.running.set(job.id, done)
}

/** Works through the items in rounds: a file whose target is another file's name waits for that file to move. */
async function run(state: State, job: JobRow) {
  const { store, now } = state.needs
  do {
    const waiting = store.jobs.waiting(job.id)
    let settled = 0
    for (const item of waiting) {
      if (!mayContinue(state, job)) return
      if (await runItem(state, job, item)) settled += 1
    }
    if (settled === 0 && waiting.length > 0) await chooseFreeTarget(state.needs, job, waiting[0]!)
    await store.whenWritable()
    if (!mayContinue(state, job)) return
  } while (!store.jobs.complete(job.id, now()))
}

const mayContinue = ({ needs, isStopping }: State, job: JobRow) =>
  !isStopping && arePresent(needs) && needs.store.jobs.isRunning(job.id)

const arePresent = ({ store, files }: RenameNeeds) => files.areAllPresent(store.episodes.storagesInUse())

async function runItem(state: State, job: JobRow, item: JobItemRow): Promise<boolean> {
  const { begun, store } = state.needs
  const failure = { state: 'failed', errorCode: 'set-aside', message: setAsideMessage } as const
  const done = begun.run(
    { kind: 'rename', key: `${job.id} ${item.place}`, label: item.title ?? item.target_path ?? '' },
    () => renameItem(state.needs, job, item),
    () => {
      store.jobs.settle(job.id, item.place, failure)
      return true
    },
  )
  if (item.episode_id !== null) state.current = { episodeId: item.episode_id, done }
  try {
    return await done
  } finally {
    state.current = null
    // Callers that waited for this file delete it before the next one moves.
    await new Promise(setImmediate)
  }
}

/** Breaks a circle of files that wait for each other's names: this one gets a number. */
async function chooseFreeTarget({ store, files }: RenameNeeds, job: JobRow, item: JobItemRow) {
  const target = item.target_path!
  const storage = store.episodes.find(item.episode_id!)?.file_storage ?? 'folder'
  const extension = extname(target)
  for (let number = 2; ; number++) {
    const candidate = `${target.slice(0, -extension.length)} (${number})${extension}`
    const isTaken = store.episodes.findByFile(candidate) || store.keptFiles.has(candidate)
    if (isTaken || (await files.sizeOf({ storage, path: candidate })) !== null) continue
    await store.whenWritable()
    store.jobs.setTarget(job.id, item.place, candidate)
    return
  }
}

type Needs = { store: Store; names: Names }

/** The file of an episode, and where it belongs; both relative to the media folder. */
type Rename = { episodeId: number; from: string; to: string }
/** Files to move, and podcasts whose folder gets another name. */
type RenamePlan = { renames: Rename[]; folders: { podcastId: number; folder: string }[] }

/** Computes what a rename run would move where, by the naming settings as they are now. */
function planRenames(needs: Needs): RenamePlan {
  const plan: RenamePlan = { renames: [], folders: [] }
  // Compared without case: on some disks, names that differ in case only are one file.
  const folders = new Set<string>()
  const paths = new Set<string>()
  for (const podcast of needs.store.podcasts.allWithFolders()) {
    const naming = needs.names.namingOf(podcast.id)
    const folder = needs.names.folderFor(podcast, naming, candidate => folders.has(candidate.toLowerCase()))
    folders.add(folder.toLowerCase())
    if (folder !== podcast.folder) plan.folders.push({ podcastId: podcast.id, folder })
    plan.renames.push(...planPodcast(needs, podcast.id, folder, naming, paths))
  }
  return plan
}

/** Adds the target of each file of a podcast to `taken`. */
function planPodcast({ store, names }: Needs, podcastId: number, folder: string, naming: Naming, taken: Set<string>) {
  const renames: Rename[] = []
  for (const episode of store.episodes.withFilesOf(podcastId)) {
    const from = episode.file_path!
    const isTaken = (path: string) => taken.has(path.toLowerCase())
    const to = names.pathFor(episode, { folder }, extname(from), isTaken, naming)
    taken.add(to.toLowerCase())
    if (to !== from) renames.push({ episodeId: episode.id, from, to })
  }
  return renames
}
