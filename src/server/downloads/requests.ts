import type { BegunWork } from '../begun-work'
import { supersededFailure } from '../feeds/apply/superseded'
import { type Clock, MINUTE } from '../platform/clock'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { DownloadRow, Failure } from '../store/downloads'
import type { EpisodeRow } from '../store/episodes'
import { isFolderAddress } from '../store/feeds'
import type { MediaFiles } from '../storage'
import { itemOf, type createRunner } from './runner'

type Needs = {
  store: Store
  files: MediaFiles
  reserveBytes: number
  now: Clock
  begun: BegunWork
  runner: Pick<ReturnType<typeof createRunner>, 'announce' | 'interrupt' | 'pump'>
}

const onlyInFolder = 'The file came from a folder, and is nowhere else. Import the folder again.'
const BATCH = 50
const NO_SPACE_MS = 10 * MINUTE
const noSpace: Failure = {
  code: 'disk-full',
  message: 'The disk is full. The download starts once there is space.',
}

/**
 * Queues an episode that a person asks for, in this form, and lifts an earlier removal. With a full disk it waits. Throws
 * `media-superseded` when its address now belongs to a newer episode, `media-unreachable` for a file of a folder.
 */
export async function request(
  needs: Needs,
  episode: EpisodeRow,
  userId: number,
  form: string | null = null,
): Promise<DownloadRow> {
  const { store, now } = needs
  if (episode.superseded) throw new Problem(supersededFailure.code, supersededFailure.message)
  if (isFolderAddress(episode.enclosure_url)) throw new Problem('media-unreachable', onlyInFolder)
  const mayStart = await hasSpace(needs)
  const row = store.inTransaction(() => {
    enqueue(needs, episode.id, userId, now(), form)
    const row = store.downloads.findOfEpisode(episode.id)!
    needs.begun.retry(itemOf(row))
    if (!mayStart && row.state === 'queued') store.downloads.wait(row.id, 0, now() + NO_SPACE_MS, noSpace)
    return row
  })
  return announceAndPump(needs, row)
}

/**
 * Queues all of these episodes that have no file, and returns how many and the moment by which `cancelAll` finds them.
 * Free space is checked when it is the turn of each.
 */
export async function requestAll(needs: Needs, episodeIds: readonly number[], userId: number) {
  const { store, now, runner } = needs
  const isWanted = (id: number) => {
    const episode = store.episodes.find(id)
    return episode && !episode.file_path && !episode.superseded && !isFolderAddress(episode.enclosure_url)
  }
  // The same time for all, so that they become one notice.
  const askedAt = now()
  let queued = 0
  for (let at = 0; at < episodeIds.length; at += BATCH)
    queued += await store.inTurn(() => {
      const wanted = episodeIds.slice(at, at + BATCH).filter(isWanted)
      for (const id of wanted) enqueue(needs, id, userId, askedAt)
      return wanted.length
    })
  runner.pump()
  return { queued, askedAt }
}

export async function pause(needs: Needs, row: DownloadRow): Promise<DownloadRow> {
  const { store, runner } = needs
  if (row.state === 'done' || row.state === 'failed') throw wrongState(row, 'paused')
  await runner.interrupt(row.id, 'paused')
  // It may have finished, or failed, before the interruption.
  const { state } = store.downloads.find(row.id) ?? row
  if (state !== 'done' && state !== 'paused') {
    store.downloads.setState(row.id, 'paused')
    runner.announce(row.id)
  }
  return store.downloads.find(row.id) ?? row
}

/** Queues a download again; a person who retries a failed one is notified of its end, as if they had asked for it. */
export function resume(needs: Needs, row: DownloadRow, userId: number): DownloadRow {
  const { store, now } = needs
  if (row.state === 'done' || row.state === 'running') throw wrongState(row, 'resumed')
  store.inTransaction(() => {
    if (row.state === 'failed') store.downloads.noteRequest(row.episode_id, userId, now())
    store.downloads.setState(row.id, 'queued')
    needs.begun.retry(itemOf(row))
  })
  return announceAndPump(needs, row)
}

/** Call in a transaction. */
function enqueue({ store }: Needs, episodeId: number, userId: number, askedAt: number, form: string | null = null) {
  store.episodes.markRemoved(episodeId, false)
  store.downloads.enqueue(episodeId, { automatic: false, userId, now: askedAt, form })
}

function announceAndPump({ store, runner }: Needs, row: DownloadRow): DownloadRow {
  runner.announce(row.id)
  runner.pump()
  return store.downloads.find(row.id) ?? row
}

/** Whether there is space above the reserve; if a folder can't be asked, writing to it will fail. */
const hasSpace = ({ files, reserveBytes }: Needs) =>
  files.folder.freeBytes().then(
    free => free > reserveBytes,
    () => true,
  )

const wrongState = ({ state }: DownloadRow, action: 'paused' | 'resumed') =>
  new Problem('download-state', `A download that is ${state} cannot be ${action}`, { state })
