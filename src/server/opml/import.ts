import type { TagColor } from '../../shared/api/tag'
import { DAY, type Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { JobItemRow, JobOutcome, JobRow } from '../store/jobs'
import type { PodcastRow } from '../store/podcasts'
import type { UserRow } from '../store/users'
import type { Outline } from './parse'

type Needs = {
  store: Store
  subscribe: (user: UserRow, address: string, options: { evenUnplayable: boolean }) => Promise<PodcastRow>
  publish: Publish
  now: Clock
  log: Log
  podcastLimit: number
}

const AT_ONCE = 6
const KEPT_MS = 7 * DAY
const colors: readonly TagColor[] = ['Green', 'Blue', 'Red']

/**
 * Imports: the list is in the database before the answer, and is worked through a few feeds at a time, also after a
 * restart. What happens is told to the importer alone.
 */
export function createOpmlImport({ store, subscribe, publish, now, log, podcastLimit }: Needs) {
  const working = new Map<number, Promise<void>>()
  let isStopped = false

  /** Throws `already-running` for a second import of the same user, and where a plain user's share would not do. */
  function start(user: UserRow, outlines: readonly Outline[]): JobRow {
    if (store.jobs.listFor(user.id).some(job => job.kind === 'opml' && job.state === 'running'))
      throw new Problem('already-running', 'An import is running already', { kind: 'opml' })
    const fresh = outlines.filter(outline => !store.podcasts.findByFeed(outline.feedUrl))
    const current = store.podcasts.countAddedBy(user.id)
    if (user.role === 'user' && current + fresh.length > podcastLimit)
      throw new Problem('podcast-limit-reached', 'You may not add so many podcasts', {
        limit: String(podcastLimit),
        current: String(current),
        adding: String(fresh.length),
      })
    const items = outlines.map(({ feedUrl, title, folders }) => ({ feedUrl, title, tags: folders }))
    const job = store.inTransaction(() => store.jobs.add(user.id, 'opml', items, now()))
    work(job)
    return job
  }

  function work(job: JobRow) {
    if (working.has(job.id)) return
    const done = run(job)
      .catch(error => log.error('an import failed', { error: describeError(error) }))
      .finally(() => working.delete(job.id))
    working.set(job.id, done)
  }

  async function run(job: JobRow) {
    const waiting = store.jobs.waiting(job.id)
    const worker = async () => {
      for (let item = waiting.shift(); item && goesOn(job); item = waiting.shift()) await take(job, item)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    if (!goesOn(job)) return
    store.jobs.finish(job.id, 'done', now())
    tell(job.id, true)
  }

  const goesOn = (job: JobRow) => !isStopped && store.jobs.isRunning(job.id)

  async function take(job: JobRow, item: JobItemRow) {
    const user = store.users.find(job.user_id)
    if (!user) return
    const outcome = await add(user, item)
    // Stopped in the middle: it is tried again at the next start.
    if (isStopped && outcome.state === 'failed') return
    store.inTransaction(() => {
      store.jobs.settle(job.id, item.place, outcome)
      if (outcome.podcastId !== undefined) tag(user, outcome.podcastId, JSON.parse(item.tags) as string[])
    })
    const { done, total } = store.jobs.find(job.id)!
    const common = { userId: user.id, jobId: job.uuid, feedUrl: item.feed_url, done, total }
    if (outcome.podcastId !== undefined)
      publish({ type: 'opmlAdded', ...common, podcastId: outcome.podcastId, existing: outcome.state === 'present' })
    else
      publish({
        type: 'opmlError',
        ...common,
        title: item.title,
        errorCode: outcome.errorCode ?? 'unexpected',
        message: outcome.message ?? '',
      })
    tell(job.id, false)
  }

  async function add(user: UserRow, item: JobItemRow): Promise<JobOutcome> {
    const known = store.podcasts.findByFeed(item.feed_url)
    if (known && (!known.explicit || user.explicit_consent)) return { state: 'present', podcastId: known.id }
    try {
      return { state: 'added', podcastId: (await subscribe(user, item.feed_url, { evenUnplayable: true })).id }
    } catch (error) {
      if (!(error instanceof Problem)) {
        log.error('a feed could not be imported', { feed: item.feed_url, error: describeError(error) })
        return { state: 'failed', errorCode: 'unexpected', message: 'Something went wrong' }
      }
      const present = error.code === 'podcast-already-added' ? store.podcasts.findByFeed(item.feed_url) : null
      if (present) return { state: 'present', podcastId: present.id }
      return { state: 'failed', errorCode: error.code, message: error.message }
    }
  }

  /** Folders and categories are the importer's tags; those that are missing are made. */
  function tag(user: UserRow, podcastId: number, names: readonly string[]) {
    for (const given of names) {
      const name = given.slice(0, 100)
      const color = colors[store.tags.listFor(user.id).length % colors.length]!
      const tag = store.tags.findByName(user.id, name) ?? store.tags.add(user.id, { name, color }, now())
      store.tags.assign(tag.id, podcastId)
    }
  }

  const told = new Map<number, number>()
  /** At most twice a second, and at the end. */
  function tell(jobId: number, finished: boolean) {
    if (!finished && now() - (told.get(jobId) ?? 0) < 500) return
    told.set(jobId, now())
    const job = store.jobs.find(jobId)
    if (!job) return
    if (finished) told.delete(jobId)
    const { uuid, user_id, done, failed, total } = job
    publish({ type: 'opmlProgress', userId: user_id, jobId: uuid, done, failed, total, finished })
  }

  return {
    start,
    /** What a restart has interrupted goes on. */
    resume() {
      store.jobs.removeOlderThan(now() - KEPT_MS)
      for (const job of store.jobs.running()) if (job.kind === 'opml') work(job)
    },
    /** What is not begun is dropped. */
    cancel(job: JobRow) {
      store.jobs.finish(job.id, 'cancelled', now())
      if (job.kind === 'opml') tell(job.id, true)
    },
    async stop() {
      isStopped = true
      await Promise.all(working.values())
    },
  }
}
export type OpmlImporter = ReturnType<typeof createOpmlImport>
