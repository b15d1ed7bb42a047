import { t } from 'elysia'
import { AuditEntry, type AuditFacts, AuditTopicName } from '../../../shared/api/audit'
import type { Context } from '../../context'
import { DAY } from '../../platform/clock'
import { invalidField, Problem } from '../../platform/problem'
import { type AuditRow, isAccount } from '../../store/audit'
import { writeInstant } from '../core/instants'
import { cutList, Limit, readCursor } from '../core/query'
import type { SignedInRoutes } from '../core/signed-in'
import { Backup } from '../../../shared/api/system'
import type { Backup as BackupFile } from '../../upkeep/backups'
import { SetAsideItem, SetAsideKey, type WorkKind } from '../../../shared/api/job'

const AuditQuery = t.Object({
  person: t.Optional(t.String({ maxLength: 200 })),
  topic: t.Optional(AuditTopicName),
  day: t.Optional(t.String({ format: 'date' })),
  /** Minutes that the caller's clock is ahead of UTC on that day. */
  offset: t.Optional(t.Integer({ minimum: -1440, maximum: 1440 })),
  cursor: t.Optional(t.String({ maxLength: 50 })),
  limit: Limit(200, 100),
})

/** Lists the acts of people, newest first, for admins. */
export function audit(routes: SignedInRoutes, { store, audit, users }: Context) {
  routes.get(
    '/api/v1/audit',
    ({ query, set }) => {
      const { person, topic = null, day, offset = 0, cursor, limit } = query
      // Reading never waits for another process that writes.
      if (store.isWritable()) audit.flush()
      const filter = { person: person ? users.requireAddressed(person).uuid : null, topic, ...daysOf(day, offset) }
      const after = readCursor(cursor)
      const placeOf = ({ at, id }: AuditRow) => ({ published_at: at, id })
      const { rows, next } = cutList(limit, placeOf, most => store.audit.page(filter, after, most))
      if (next) set.headers['x-next-cursor'] = next
      return rows.map(presentEntry)
    },
    { role: 'admin', query: AuditQuery, response: t.Array(AuditEntry) },
  )
}

/** The milliseconds of a day where the caller is; without one, all of time. */
function daysOf(day: string | undefined, offset: number) {
  if (day === undefined) return { from: 0, before: Number.MAX_SAFE_INTEGER }
  const midnight = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight)) throw invalidField('day', 'a date such as 2026-05-01')
  const from = midnight - offset * 60_000
  return { from, before: from + DAY }
}

function presentEntry(row: AuditRow): AuditEntry {
  const isOfAccount = isAccount(row.source)
  return {
    id: String(row.id),
    at: writeInstant(row.at),
    since: writeInstant(row.since),
    count: row.count,
    topic: row.topic,
    kind: row.kind,
    by: isOfAccount ? 'user' : (row.source as Exclude<AuditEntry['by'], 'user'>),
    actor: isOfAccount || row.actor_name ? { id: isOfAccount ? row.source : null, name: row.actor_name } : null,
    about: row.about_name ? { id: row.about || null, name: row.about_name } : null,
    address: row.address,
    via: row.via,
    reason: row.reason,
    detail: row.detail,
    facts: JSON.parse(row.facts) as AuditFacts,
  }
}

/** Backups in the data folder, for admins only: each holds the server's secret. */
export function backups(routes: SignedInRoutes, { backups, publish }: Context) {
  routes
    .get('/api/v1/backups', async () => (await backups.list()).map(presentBackup), {
      role: 'admin',
      response: t.Array(Backup),
    })
    .post('/api/v1/backups', async () => presentBackup(await backups.create('manual')), {
      role: 'admin',
      response: Backup,
    })
    .get(
      '/api/v1/backups/:name',
      async ({ params }) => {
        const { path, size } = await backups.find(params.name)
        publish({ type: 'recorded', kind: 'backup-downloaded', detail: params.name })
        return new Response(Bun.file(path), {
          headers: {
            'Content-Type': 'application/vnd.sqlite3',
            'Content-Length': String(size),
            'Content-Disposition': `attachment; filename="${params.name}"`,
          },
        })
      },
      { role: 'admin' },
    )
    .delete(
      '/api/v1/backups/:name',
      async ({ params, set }) => {
        await backups.remove(params.name)
        publish({ type: 'recorded', kind: 'backup-removed', detail: params.name })
        set.status = 204
      },
      { role: 'admin' },
    )
}

const presentBackup = ({ name, kind, size, at }: BackupFile): Backup => ({
  name,
  kind,
  size,
  createdAt: writeInstant(at),
})

/** Work that was set aside since the server stopped twice in the middle of it, for admins. */
export function setAside(routes: SignedInRoutes, context: Context) {
  const { begun } = context
  routes
    .get(
      '/api/v1/set-aside',
      () =>
        begun.listSetAside().map(({ kind, key, label, set_aside_at }) => ({
          kind: kind as WorkKind,
          key,
          label,
          since: writeInstant(set_aside_at!),
        })),
      { role: 'admin', response: t.Array(SetAsideItem) },
    )
    .post(
      '/api/v1/set-aside/retry',
      ({ body, set }) => {
        if (!begun.tryAgain(body)) throw new Problem('not-found', 'Nothing of this name is set aside')
        resume(context)
        set.status = 204
      },
      { role: 'admin', body: SetAsideKey },
    )
}

/** Starts what waits; the jobs would do so within an hour. */
function resume({ downloads, keptFiles, transcriptions, opmlImport, rename, moves, indexer, removals }: Context) {
  void keptFiles.resume()
  downloads.pump()
  transcriptions.pump()
  opmlImport.resume()
  rename.resume()
  moves.resume()
  void indexer.run()
  void removals.run()
}
