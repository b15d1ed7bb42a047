import { setAsideMessage, type BegunWork } from '../begun-work'
import { findMeant } from '../feeds/fetch/address'
import { splitCredentials } from '../outbound/credentials'
import { type Clock, DAY } from '../platform/clock'
import type { Publish } from '../platform/events'
import { describeError, type Log, logFailure } from '../platform/log'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { JobItemRow, JobOutcome, JobRow } from '../store/jobs'
import type { PodcastRow } from '../store/podcasts'
import type { UserRow } from '../store/users'
import { isBusy } from '../store/writing'
import type { Outline } from './parse'

type Needs = {
  store: Store
  subscribe: (
    user: UserRow,
    address: string,
    options: { evenUnplayable: boolean; source: 'import' },
  ) => Promise<PodcastRow>
  publish: Publish
  now: Clock
  log: Log
  podcastLimit: number
  begun: BegunWork
}

/** The parts that running imports need and share. */
type Importer = Needs & {
  /** Running imports by the id of their row. */
  running: Map<number, Promise<void>>
  publishProgress: (id: number, finished: boolean) => void
  isStopped: boolean
}

const FEEDS_AT_ONCE = 6
const KEPT_MS = 7 * DAY
const PROGRESS_EVERY_MS = 500
const MAX_TAG = 100

/**
 * Imports of OPML lists: each is stored before the request is answered and worked through a few feeds at a time, also
 * after a restart. Only the importer sees the progress.
 */
export function createOpmlImport(needs: Needs) {
  const { store, now } = needs
  const publishProgress = createProgress(needs)
  const importer: Importer = { ...needs, running: new Map(), publishProgress, isStopped: false }
  return {
    /** Throws `already-running` for a user's second import, and `podcast-limit-reached`. */
    start(user: UserRow, outlines: readonly Outline[]): JobRow {
      requireNoOther(needs, user)
      requireWithinLimit(needs, user, outlines)
      const items = outlines.map(({ feedUrl, title, folders }) => ({ feedUrl, title, tags: folders }))
      const row = store.inTransaction(() => store.jobs.add(user.id, 'opml', items, now()))
      run(importer, row)
      return row
    },
    /** Resumes the imports that a restart interrupted, and forgets old ones. */
    resume() {
      store.removeEach('job', store.jobs.olderThan(now() - KEPT_MS))
      for (const row of store.jobs.running()) if (row.kind === 'opml') run(importer, row)
    },
    /** Drops the feeds that are still waiting. */
    cancel(row: JobRow) {
      const isEnding = store.jobs.isRunning(row.id)
      store.jobs.cancel(row.id, now())
      if (row.kind !== 'opml') return
      publishProgress(row.id, true)
      if (isEnding) recordEnd(needs, row)
    },
    async stop() {
      importer.isStopped = true
      await Promise.all(importer.running.values())
    },
  }
}

function requireNoOther({ store }: Needs, user: UserRow) {
  if (store.jobs.listFor(user.id).some(row => row.kind === 'opml' && row.state === 'running'))
    throw new Problem('already-running', 'An import is already running', { kind: 'opml' })
}

function requireWithinLimit({ store, podcastLimit }: Needs, { id, role }: UserRow, outlines: readonly Outline[]) {
  if (role !== 'user') return
  const adding = outlines.filter(outline => !findMeant(store, outline.feedUrl)).length
  const current = store.podcasts.countAddedBy(id)
  if (current + adding <= podcastLimit) return
  const message = `You have added ${current} podcasts; ${adding} more would exceed your limit of ${podcastLimit}`
  throw new Problem('podcast-limit-reached', message, {
    limit: String(podcastLimit),
    current: String(current),
    adding: String(adding),
  })
}

function run(importer: Importer, row: JobRow) {
  const { running, log } = importer
  if (running.has(row.id)) return
  const work = importAll(importer, row)
    .catch(logFailure(log, 'Import failed'))
    .finally(() => running.delete(row.id))
  running.set(row.id, work)
}

async function importAll(importer: Importer, row: JobRow) {
  const { store, now, publishProgress } = importer
  const mayContinue = () =>
    !importer.isStopped && store.jobs.isRunning(row.id) && store.users.find(row.user_id) !== null
  do {
    const waiting = store.jobs.waiting(row.id)
    const worker = async () => {
      for (let item = waiting.shift(); item && mayContinue(); item = waiting.shift())
        await importOne(importer, row, item)
    }
    await Promise.all(Array.from({ length: FEEDS_AT_ONCE }, worker))
    await store.whenWritable()
    if (!mayContinue()) return
    // Somebody may have asked for a set-aside feed again.
  } while (!store.jobs.complete(row.id, now()))
  publishProgress(row.id, true)
  recordEnd(importer, row)
}

/** Records an import with its counts, as one act. */
function recordEnd({ store, publish }: Needs, { id, user_id }: JobRow) {
  const user = store.users.find(user_id)
  const row = store.jobs.find(id)
  if (!user || !row) return
  const { done, present, failed } = row
  const podcasts = { added: done - present - failed, present, failed }
  publish({ type: 'recorded', kind: 'import-finished', actor: user, detail: 'OPML', facts: { podcasts } })
}

async function importOne(importer: Importer, row: JobRow, item: JobItemRow) {
  const { store, publishProgress } = importer
  const user = store.users.find(row.user_id)
  if (!user) return
  const outcome = await importer.begun.run<JobOutcome>(
    { kind: 'import', key: `${row.id} ${item.place}`, label: item.title || splitCredentials(item.feed_url).address },
    () => addFeed(importer, user, item),
    () => ({ state: 'failed', errorCode: 'set-aside', message: setAsideMessage }),
  )
  // Stopped in the middle: the next start tries it again.
  if (importer.isStopped && outcome.state === 'failed') return
  await store.whenWritable()
  store.inTransaction(() => {
    store.jobs.settle(row.id, item.place, outcome)
    if (outcome.podcastId !== undefined)
      assignTags(importer, user, outcome.podcastId, JSON.parse(item.tags) as string[])
  })
  publishOutcome(importer, row, item, outcome)
  publishProgress(row.id, false)
}

async function addFeed(importer: Importer, user: UserRow, item: JobItemRow): Promise<JobOutcome> {
  const { store, subscribe, log } = importer
  const known = findMeant(store, item.feed_url)
  if (known && (!known.explicit || user.explicit_consent)) return { state: 'present', podcastId: known.id }
  try {
    // The list contains what the user has subscribed to elsewhere, so nothing is left out.
    const podcast = await subscribe(user, item.feed_url, { evenUnplayable: true, source: 'import' })
    return { state: 'added', podcastId: podcast.id }
  } catch (error) {
    if (isBusy(error) && !importer.isStopped) {
      // Another process was writing.
      await store.whenWritable()
      return addFeed(importer, user, item)
    }
    if (!(error instanceof Problem)) {
      log.error('A feed could not be imported', { feed: item.feed_url, error: describeError(error) })
      return { state: 'failed', errorCode: 'unexpected', message: 'Internal error; the log has the details' }
    }
    const present = error.code === 'podcast-already-added' ? findMeant(store, item.feed_url) : null
    if (present) return { state: 'present', podcastId: present.id }
    return { state: 'failed', errorCode: error.code, message: error.message }
  }
}

/** Assigns folders and categories as the importer's tags, and adds those that are missing. */
function assignTags({ store, now }: Importer, user: UserRow, podcastId: number, names: readonly string[]) {
  for (const given of names) {
    const name = given.slice(0, MAX_TAG)
    const color = store.tags.nextColor(user.id)
    const tag = store.tags.findByName(user.id, name) ?? store.tags.add(user.id, { name, color }, now())
    store.tags.assign(tag.id, podcastId)
  }
}

function publishOutcome({ store, publish }: Importer, row: JobRow, item: JobItemRow, outcome: JobOutcome) {
  const { done, total } = store.jobs.find(row.id)!
  const common = { userId: row.user_id, jobId: row.uuid, feedUrl: item.feed_url, done, total }
  const { state, podcastId, errorCode = 'unexpected', message = '' } = outcome
  if (podcastId !== undefined) publish({ type: 'opmlAdded', ...common, podcastId, existing: state === 'present' })
  else publish({ type: 'opmlError', ...common, title: item.title, errorCode, message })
}

/** Publishes the progress of an import, at most twice a second and at its end. */
function createProgress({ store, publish, now }: Needs) {
  const publishedAt = new Map<number, number>()
  return (id: number, finished: boolean) => {
    if (!finished && now() - (publishedAt.get(id) ?? 0) < PROGRESS_EVERY_MS) return
    publishedAt.set(id, now())
    const row = store.jobs.find(id)
    if (!row) return
    if (finished) publishedAt.delete(id)
    const { uuid, user_id, done, failed, total } = row
    publish({ type: 'opmlProgress', userId: user_id, jobId: uuid, done, failed, total, finished })
  }
}
