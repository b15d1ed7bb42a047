import type { Context } from '../../../context'
import { isAtEnd } from '../../../playback/playback'
import type { Store } from '../../../store'
import type { EpisodeRow } from '../../../store/episodes'
import type { ProgressRow } from '../../../store/playback'
import type { UserRow } from '../../../store/users'
import { accountOf, progressOf } from './account'
import { type AppCall, AppRefusal, done, fieldsOf, nameOfApp, notFound, numberOf, textOf } from './protocol'
import { createItems, type Items } from './items'
import { presentProgress } from './shapes/session'
import { playedOf } from './shelves'
import { durationOf } from './shapes/file'

const MAX_IN_PROGRESS = 100

/** Positions of a user, read and set without playing. */
export function progressCalls(app: Context): AppCall[] {
  const { store } = app
  const items = createItems(app)
  const edit = createEdit(app)

  return [
    ['GET /api/me/progress', ({ user }) => ({ mediaProgress: progressOf(app, user) })],
    [
      'GET /api/me/progress/:id/remove-from-continue-listening',
      ({ user, parts }) => {
        app.hide(user.id, requireBegun(store, user, parts.id!), true)
        return accountOf(app, user)
      },
      'changes',
    ],
    [
      'GET /api/me/progress/:item/:episode',
      ({ user, parts }) => {
        const row = store.playback.findProgress(user, parts.episode!)
        return presentFound(user, row?.podcast === parts.item ? row : null)
      },
    ],
    [
      'GET /api/me/progress/:item',
      ({ user, parts }) => {
        const podcast = store.catalogue.podcastId(parts.item!)
        return presentFound(user, podcast === null ? null : store.playback.latestProgressOf(user, podcast))
      },
    ],
    [
      'PATCH /api/me/progress/batch/update',
      async ({ user, request, body }) => {
        const device = nameOfApp(request)
        if (!Array.isArray(body) || body.length === 0) throw new AppRefusal(400, 'Missing request payload')
        await inPauses(body as unknown[], given => {
          const fields = fieldsOf(given)
          unlessRefused(() => {
            const episode = requireEpisode(app, items, user, textOf(fields.libraryItemId), textOf(fields.episodeId))
            edit({ user, episode, device }, fields)
          })
        })
        return done()
      },
    ],
    [
      'PATCH /api/me/progress/:item/:episode',
      ({ user, request, parts, body }) => {
        const episode = requireEpisode(app, items, user, parts.item!, parts.episode!)
        edit({ user, episode, device: nameOfApp(request) }, fieldsOf(body))
        return done()
      },
    ],
    [
      'PATCH /api/me/progress/:item',
      ({ user, parts }) => {
        items.requirePodcast(user, parts.item!)
        throw new AppRefusal(400, 'Library item is not a book')
      },
    ],
    [
      'DELETE /api/me/progress/:id',
      ({ user, request, parts }) => {
        const episode = requireBegun(store, user, parts.id!)
        app.playback.record(user.id, episode, { position: 0, finished: false, listened: 0, device: nameOfApp(request) })
        return done()
      },
    ],
    [
      'GET /api/me/items-in-progress',
      ({ user, query }) => {
        const limit = Math.min(Math.floor(secondsOf(query.get('limit')) ?? 25), MAX_IN_PROGRESS)
        return { libraryItems: playedOf(items, user, store.catalogue.begun(user, limit)) }
      },
    ],
  ]
}

function requireEpisode({ store }: Context, items: Items, user: UserRow, podcast: string, episode: string): EpisodeRow {
  items.requirePodcast(user, podcast)
  if (store.catalogue.episodeIds(episode) === null) throw notFound('Episode not found')
  return store.episodes.find(items.requireEpisode(user, podcast, episode).id)!
}

function presentFound(user: UserRow, row: ProgressRow | null) {
  if (!row) throw notFound()
  return presentProgress(row, user.uuid)
}

/** A progress entry is identified by its episode. */
function requireBegun(store: Store, user: UserRow, uuid: string): EpisodeRow {
  if (!store.playback.findProgress(user, uuid)) throw notFound()
  return store.episodes.require(user, uuid)
}

/** One of many entries that cannot be applied does not prevent the others. */
function unlessRefused(apply: () => void) {
  try {
    apply()
  } catch (error) {
    if (!(error instanceof AppRefusal)) throw error
  }
}

type Target = { user: UserRow; episode: EpisodeRow; device: string }

/** Sets the fields of a progress entry that an app names, unless something newer is known. */
function createEdit({ store, playback, hide }: Context) {
  return ({ user, episode, device }: Target, fields: Record<string, unknown>) => {
    const { isFinished, hideFromContinueListening: hidden } = fields
    const known = store.playback.find(user.id, episode.id)
    const reported = totalOf(fields.duration, episode)
    const total = reported ?? known?.total ?? (episode.duration || null)
    const position = positionOf(fields, total)
    const write = (position: number, finished: boolean, at = momentOf(fields.lastUpdate)) =>
      playback.record(user.id, episode, { position, finished, total, at, listened: 0, device })

    if (isFinished === true) write(position ?? known?.position ?? 0, true)
    else if (position !== null) write(position, isFinished === false ? false : isAtEnd(position, total))
    else if (isFinished === false && known?.finished) write(0, false)
    else if (reported !== null && known) write(known.position, known.finished === 1, known.updated_at)
    if (typeof hidden === 'boolean') hide(user.id, episode, hidden)
  }
}

/** The position that an app names, or the share of the whole. */
function positionOf({ currentTime, progress }: Record<string, unknown>, total: number | null): number | null {
  const position = secondsOf(currentTime)
  const share = numberOf(progress)
  if (position !== null || share === null || total === null) return position
  return Math.min(Math.max(share, 0), 1) * total
}

/** More than any episode has. */
const MAX_SECONDS = 10_000_000
/** The last moment that a date can be. */
const MAX_MOMENT = 8.64e15

/** Reads seconds; null for what cannot be a position or a length. A moment before the beginning is the beginning. */
export function secondsOf(given: unknown): number | null {
  const seconds = numberOf(given)
  return seconds === null || seconds > MAX_SECONDS ? null : Math.max(0, seconds)
}

/** Reads a moment in milliseconds; null for none. */
export function momentOf(given: unknown): number | null {
  const moment = numberOf(given)
  return moment === null || moment < 1 || moment > MAX_MOMENT ? null : Math.floor(moment)
}

type LengthOf = Pick<EpisodeRow, 'duration' | 'file_size' | 'enclosure_size'>

/** Reads the length of an episode as an app measured it; null if it only repeats the one that we sent. */
export function totalOf(given: unknown, episode: LengthOf): number | null {
  const total = secondsOf(given)
  if (total === null || total === 0) return null
  return Math.abs(total - durationOf(episode)) < 1 ? null : total
}

/** Some milliseconds of work. */
const PART = 20

/** The most entries of one call. */
const MAX_ENTRIES = 2000

/**
 * Does something with each entry of a call, in order; other requests are answered in between. Throws `AppRefusal` (413)
 * for too many, before anything is done.
 */
export async function inPauses<T, R>(entries: readonly T[], work: (entry: T) => R): Promise<R[]> {
  if (entries.length > MAX_ENTRIES) throw new AppRefusal(413, `Too many entries, the limit is ${MAX_ENTRIES}`)
  const results: R[] = []
  for (const entry of entries) {
    if (results.length > 0 && results.length % PART === 0) await new Promise(setImmediate)
    results.push(work(entry))
  }
  return results
}
