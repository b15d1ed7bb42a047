import type { Database } from 'bun:sqlite'
import { type AuditKind, auditSources, type AuditTopic } from '../../shared/audit-kinds'

/** A recorded act; times in milliseconds, texts are '' if there is nothing to say. */
export type AuditRow = {
  id: number
  at: number
  since: number
  count: number
  topic: AuditTopic
  kind: AuditKind
  source: string
  actor_name: string
  about: string
  about_name: string
  address: string
  via: string
  reason: string
  detail: string
  /** `AuditFacts` as JSON. */
  facts: string
}
/** `fold`: acts with the same value share one row with a count. */
export type NewAudit = Omit<AuditRow, 'id' | 'since'> & { fold: string }
/** `person`: the uuid of an account that acted, or that an act concerns. Times: from, and before. */
export type AuditFilter = { person: string | null; topic: AuditTopic | null; from: number; before: number }
export type AuditPlace = { publishedAt: number; id: number }

const sources: ReadonlySet<string> = new Set(auditSources)
/** Whether a source is an account, by its uuid. */
export const isAccount = (source: string) => !sources.has(source)

const columns = `id, at, since, count, topic, kind, source, actor_name, about, about_name, address, via, reason, detail, facts`

/** Stores the acts of people; lists are newest first. */
export const auditStore = (db: Database) => ({
  add(row: NewAudit) {
    db.query<never, NewAudit>(
      `INSERT INTO audit (fold, at, since, count, topic, kind, source, actor_name, about, about_name, address, via,
                          reason, detail, facts)
       VALUES ($fold, $at, $at, $count, $topic, $kind, $source, $actor_name, $about, $about_name, $address, $via,
               $reason, $detail, $facts)
       ON CONFLICT (fold) DO UPDATE SET at = max(at, excluded.at), count = count + excluded.count`,
    ).run(row)
  },
  page(filter: AuditFilter, after: AuditPlace | undefined, limit: number): AuditRow[] {
    const place = { at: after?.publishedAt ?? Number.MAX_SAFE_INTEGER, id: after?.id ?? 0 }
    const given = {
      from: filter.from,
      before: filter.before,
      ...place,
      limit,
      ...(filter.topic && { topic: filter.topic }),
    }
    const listed = (of: string) =>
      `SELECT ${columns} FROM audit
        WHERE ${of} at >= $from AND at < $before AND (at, id) < ($at, $id) ${filter.topic ? 'AND topic = $topic' : ''}
        ORDER BY at DESC, id DESC LIMIT $limit`
    if (filter.person === null) return db.query<AuditRow, typeof given>(listed('')).all(given)
    const own = { ...given, person: filter.person }
    return db
      .query<AuditRow, typeof own>(
        `SELECT * FROM (${listed('source = $person AND')})
          UNION SELECT * FROM (${listed(`about = $person AND about <> '' AND`)})
          ORDER BY at DESC, id DESC LIMIT $limit`,
      )
      .all(own)
  },
  removeBefore: (time: number) => db.query('DELETE FROM audit WHERE at < ?').run(time).changes,
  /** Removes the oldest of a source beyond `most`. */
  removeBeyond: (source: string, most: number) =>
    db
      .query(
        `DELETE FROM audit WHERE id IN (
           SELECT id FROM audit WHERE source = ? ORDER BY at DESC, id DESC LIMIT -1 OFFSET ?)`,
      )
      .run(source, most).changes,
  /** Removes the rows that were made before the last `most`. */
  removeBeyondAll: (most: number) =>
    db.query('DELETE FROM audit WHERE id <= (SELECT max(id) FROM audit) - ?').run(most).changes,
})
