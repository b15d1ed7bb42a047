import { t } from 'elysia'
import { AuditEntry, AuditTopicName, type AuditFacts } from '../../../shared/api/audit'
import type { Context } from '../../context'
import { DAY } from '../../platform/clock'
import { invalidField } from '../../platform/problem'
import { isAccount, type AuditRow } from '../../store/audit'
import { writeInstant } from '../core/instants'
import { cutList, readCursor } from '../core/paging'
import { Limit } from '../core/query'
import type { SignedInRoutes } from '../core/signed-in'

const Query = t.Object({
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
      return rows.map(present)
    },
    { role: 'admin', query: Query, response: t.Array(AuditEntry) },
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

function present(row: AuditRow): AuditEntry {
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
