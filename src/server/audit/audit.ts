import { topicOf, type AuditKind } from '../../shared/audit-kinds'
import { actingNow, type Person } from '../platform/acting'
import { DAY, HOUR, type Clock } from '../platform/clock'
import type { Listeners, RecordedAct } from '../platform/events'
import type { Log } from '../platform/log'
import type { Store } from '../store'
import type { NewAudit } from '../store/audit'
import { asNetwork, plainName } from './refusals'

const MAX_DETAIL = 200
/** Acts of one account, of the server, and of all strangers. */
const MOST_PER_SOURCE = 5000
const MOST = 100_000
/** Acts that wait to be written, with different contents. */
const MOST_WAITING = 1000
const PRUNE_EVERY = 200

type Needs = {
  store: Store
  now: Clock
  log: Log
  /** Who acts where no request does. */
  outside: 'server' | 'command-line'
  /** Days after which acts are forgotten. */
  days: number
}
export type Audit = ReturnType<typeof createAudit>

/**
 * Records what people do, in the log and in a table for admins. Refusals are written by `flush`, a job, so that an
 * attack costs no transaction per guess; a write that fails is tried again by it.
 */
export function createAudit({ store, now, log, outside, days }: Needs) {
  const waiting = new Map<string, NewAudit>()
  let written = 0

  function flush() {
    if (waiting.size === 0) return
    const rows = [...waiting.values()]
    store.inTransaction(() => {
      for (const row of rows) store.audit.add(row)
      written += rows.length
      if (written < PRUNE_EVERY) return
      written = 0
      for (const source of new Set(rows.map(row => row.source))) store.audit.removeBeyond(source, MOST_PER_SOURCE)
      store.audit.removeBeyondAll(MOST)
    })
    waiting.clear()
  }

  /** Adds an act to those that wait, or counts it up. `spanMs`: repetitions within it are one row; null = for ever. */
  function add(row: Omit<NewAudit, 'at' | 'count' | 'topic' | 'fold'>, spanMs: number | null) {
    const at = now()
    const span = spanMs === null ? '' : Math.floor(at / spanMs)
    const fold = new Bun.CryptoHasher('sha256')
      .update(JSON.stringify([span, row]))
      .digest('base64url')
      .slice(0, 22)
    const before = waiting.get(fold)
    if (!before && waiting.size >= MOST_WAITING) waiting.delete(waiting.keys().next().value!)
    waiting.set(fold, { ...row, fold, topic: topicOf(row.kind), at, count: (before?.count ?? 0) + 1 })
  }

  function record({ kind, actor, about, via = '', detail = '' }: RecordedAct, spanMs: number | null = HOUR) {
    const request = actingNow()
    const by = actor ?? request?.actor ?? (request ? about : null) ?? null
    const other = about && about.uuid !== by?.uuid ? about : null
    const row = {
      kind,
      source: by?.uuid ?? (request ? 'stranger' : outside),
      actor_name: by?.username ?? '',
      about: other?.uuid ?? '',
      about_name: other?.username ?? '',
      address: addressOf(request?.address),
      via,
      reason: '',
      detail: plainName(detail, MAX_DETAIL),
    }
    log.info('Activity', {
      kind,
      by: by?.username ?? row.source,
      ...(row.address && { address: row.address }),
      ...(other && { about: other.username }),
      ...(via && { via }),
      ...(row.detail && { detail: row.detail }),
    })
    add(row, spanMs)
    return store.write(flush)
  }

  const note = (kind: AuditKind, detail: string, about?: Person | null) =>
    record({ kind, detail, ...(about && { about }) })
  const personOf = (userId: number) => store.users.find(userId)
  const titleOf = (podcastId: number) => store.podcasts.find(podcastId)?.title ?? ''

  const listeners: Listeners = {
    recorded: act => record(act, act.kind === 'key-used' ? null : HOUR),
    signInRefused({ way, reason, name, address }) {
      const owner = name === '' ? null : store.users.findByName(name)
      add(
        {
          kind: 'sign-in-refused',
          source: 'stranger',
          actor_name: plainName(name),
          about: owner?.uuid ?? '',
          about_name: owner?.username ?? '',
          address: asNetwork(address),
          via: way,
          reason: reason === 'wrong-password' && !owner ? 'unknown-name' : reason,
          detail: '',
        },
        DAY,
      )
    },
    accountAttacked({ name, failures }) {
      const owner = store.users.findByName(name)
      log.info('Account attacked', { name: plainName(name), failures })
      add(
        {
          kind: 'account-attacked',
          source: 'stranger',
          actor_name: '',
          about: owner?.uuid ?? '',
          about_name: owner?.username ?? plainName(name),
          address: '',
          via: 'password',
          reason: '',
          detail: '',
        },
        DAY,
      )
    },
    renewalReused({ userId, app }) {
      const owner = personOf(userId)
      record({ kind: 'renewal-reused', detail: app, ...(owner && { about: owner }) })
    },
    sessionEnded: () => note('session-ended', ''),
    appSessionEnded: () => note('session-ended', ''),
    feedKeyRenewed: ({ userId }) => note('feed-key-renewed', '', personOf(userId)),
    addedPodcast: ({ podcastId }) => note('podcast-added', titleOf(podcastId)),
    podcastRemoved: ({ title }) => note('podcast-removed', title),
    backupMade: ({ name }) => note('backup-made', name),
    backupFailed: ({ reason }) => note('backup-failed', reason),
  }

  return {
    listeners,
    record,
    /** Writes what waits. */
    flush,
    /** Forgets what is old. */
    removeOld: () => store.audit.removeBefore(now() - days * DAY),
    stop: flush,
  }
}

function addressOf(address: (() => string) | undefined): string {
  const found = address?.() ?? ''
  return found === 'unknown' ? '' : asNetwork(found)
}
