import { t } from 'elysia'
import { Download, DownloadList, QueuePaused } from '../../../shared/api/download'
import { downloadStates } from '../../../shared/choices'
import type { Context } from '../../context'
import { findStatus } from '../../downloads/failure'
import { invalidField } from '../../platform/problem'
import type { DownloadRow } from '../../store/downloads'
import type { UserRow } from '../../store/users'
import { writeInstantOrNull } from '../core/instants'
import { Limit, readWords } from '../core/query'
import type { SignedInRoutes } from '../core/signed-in'
import { presentEpisodeWork } from './episodes.present'

const unfinished = downloadStates.filter(state => state !== 'done')

const ListQuery = t.Object({
  state: t.Optional(t.Union([t.String(), t.Array(t.String())])),
  cursor: t.Optional(t.String({ maxLength: 50 })),
  limit: Limit(200, 100),
})

/** The queue of downloads, and single downloads in it. */
export function downloads(routes: SignedInRoutes, app: Context) {
  const { store } = app
  routes
    .get(
      '/api/v1/downloads',
      ({ user, query, set }) => {
        const { next, ...list } = listDownloads(app, user, query)
        if (next) set.headers['x-next-cursor'] = next
        return list
      },
      { query: ListQuery, response: DownloadList },
    )
    .post(
      '/api/v1/downloads/pause',
      async () => {
        await app.downloads.pauseAll()
        return { paused: true }
      },
      { role: 'uploader', response: QueuePaused },
    )
    .post(
      '/api/v1/downloads/resume',
      () => {
        app.downloads.resumeAll()
        return { paused: false }
      },
      { role: 'uploader', response: QueuePaused },
    )
    .post(
      '/api/v1/downloads/:id/pause',
      async ({ user, params }) => present(app, await app.downloads.pause(store.downloads.require(user, params.id))),
      { role: 'uploader', response: Download },
    )
    .post(
      '/api/v1/downloads/:id/resume',
      ({ user, params }) => present(app, app.downloads.resume(store.downloads.require(user, params.id), user.id)),
      { role: 'uploader', response: Download },
    )
    .delete(
      '/api/v1/downloads/:id',
      async ({ user, params, set }) => {
        await app.downloads.cancel(store.downloads.require(user, params.id))
        set.status = 204
      },
      { role: 'uploader' },
    )
}

const present = ({ downloads }: Context, row: DownloadRow): Download =>
  presentDownload(row, row.state === 'running' ? downloads.live(row.id) : null)

/** A page of downloads, in the order of the list; `next` is the cursor of the following page. */
function listDownloads(app: Context, user: UserRow, { state, cursor, limit }: (typeof ListQuery)['static']) {
  const { store } = app
  const states = state ? readWords('state', state, downloadStates) : unfinished
  const rows = store.downloads.list(user, states, limit + 1, readPlace(cursor))
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const { queued = 0, running = 0, waiting = 0, paused = 0, failed = 0 } = store.downloads.counts(user)
  return {
    paused: store.settings.downloadsPaused(),
    counts: { queued, running, waiting, paused, failed },
    items: shown.map(row => present(app, row)),
    next: rows.length > limit && last ? `${last.rank}.${last.place}` : null,
  }
}

function readPlace(cursor: string | undefined): { rank: number; place: number } | null {
  if (cursor === undefined) return null
  const match = /^(\d)\.(\d+)$/.exec(cursor)
  if (!match) throw invalidField('cursor', 'the X-Next-Cursor of an earlier response')
  return { rank: Number(match[1]), place: Number(match[2]) }
}

/** The progress of a running download: bytes, and bytes per second. */
type Progress = { received: number; total: number | null; speed: number }

/**
 * Converts a download row to the API's form. `progress` is live; the row is updated only occasionally and lags behind.
 */
export function presentDownload(row: DownloadRow, progress: Progress | null): Download {
  return {
    ...presentEpisodeWork(row),
    state: row.state,
    receivedBytes: progress?.received ?? row.received_bytes,
    totalBytes: progress?.total ?? row.total_bytes,
    bytesPerSecond: progress?.speed ?? null,
    message: row.message,
    status: findStatus(row.message),
    finishedAt: writeInstantOrNull(row.finished_at),
  }
}
