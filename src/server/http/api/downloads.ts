import type { SignedInRoutes } from '../core/signed-in'
import { t } from 'elysia'
import { Download, DownloadList, QueuePaused } from '../../../shared/api/download'
import { DownloadState } from '../../../shared/api/episode'
import type { Context } from '../../context'
import { invalidField, notFound } from '../../platform/problem'
import type { DownloadRow } from '../../store/downloads'
import type { UserRow } from '../../store/users'
import { presentDownload } from './downloads.present'
import { Limit } from '../core/query'

const unfinished = ['running', 'queued', 'waiting', 'paused', 'failed'] as const

export function downloads(routes: SignedInRoutes, app: Context) {
  const { store } = app
  const present = (row: DownloadRow) =>
    presentDownload(row, row.state === 'running' ? app.downloads.live(row.id) : null)
  const require = (user: UserRow, uuid: string) => {
    const row = store.downloads.findVisible(user, uuid)
    if (!row) throw notFound('download')
    return row
  }

  routes
    .get(
      '/api/v1/downloads',
      ({ user, query, set }) => {
        const states = query.state ? readStates(query.state) : unfinished
        const rows = store.downloads.list(user, states, query.limit + 1, readPlace(query.cursor))
        const shown = rows.slice(0, query.limit)
        const last = shown.at(-1)
        if (rows.length > query.limit && last) set.headers['x-next-cursor'] = `${last.rank}.${last.place}`
        const { queued = 0, running = 0, waiting = 0, paused = 0, failed = 0 } = store.downloads.counts(user)
        return {
          paused: store.settings.downloadsPaused(),
          counts: { queued, running, waiting, paused, failed },
          items: shown.map(present),
        }
      },
      {
        query: t.Object({
          state: t.Optional(t.Union([t.String(), t.Array(t.String())])),
          cursor: t.Optional(t.String({ maxLength: 50 })),
          limit: Limit(200, 100),
        }),
        response: DownloadList,
      },
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
      async ({ user, params }) => present(await app.downloads.pause(require(user, params.id))),
      { role: 'uploader', response: Download },
    )
    .post(
      '/api/v1/downloads/:id/resume',
      ({ user, params }) => present(app.downloads.resume(require(user, params.id), user.id)),
      { role: 'uploader', response: Download },
    )
    .delete(
      '/api/v1/downloads/:id',
      async ({ user, params, set }) => {
        await app.downloads.cancel(require(user, params.id))
        set.status = 204
      },
      { role: 'uploader', body: t.Any() },
    )
}

function readStates(given: string | string[]): DownloadState[] {
  const known = new Set<string>(DownloadState.anyOf.map(literal => literal.const))
  const states = [given].flat().flatMap(part => part.split(','))
  if (states.some(state => !known.has(state))) throw invalidField('state', [...known].join(', '))
  return states as DownloadState[]
}

function readPlace(cursor: string | undefined): { rank: number; place: number } | null {
  if (cursor === undefined) return null
  const match = /^(\d)\.(\d+)$/.exec(cursor)
  if (!match) throw invalidField('cursor', 'the X-Next-Cursor of an earlier response')
  return { rank: Number(match[1]), place: Number(match[2]) }
}
