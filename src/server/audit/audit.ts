import type { AuditFacts } from '../../shared/api/audit'
import { type AuditKind, topicOf } from '../../shared/audit-kinds'
import { actingNow, type Listeners, type Person, type RecordedAct, type RefusedAttempt } from '../platform/events'
import { type Clock, DAY, HOUR } from '../platform/clock'
import type { Log } from '../platform/log'
import type { Store } from '../store'
import { isAccount, type NewAudit } from '../store/audit'

const MAX_DETAIL = 200
/** The most acts of one account, of the server, and of all strangers. */
const MAX_PER_SOURCE = 5000
const MAX_COUNT = 100_000
/** Acts that wait to be written, with different contents. */
const MAX_WAITING = 1000
const PRUNE_EVERY = 200

type Needs = {
  store: Store
  now: Clock
  log: Log
  /** The actor when no request causes the act. */
  outside: 'server' | 'command-line'
  /** Days after which acts are forgotten. */
  days: number
}
type NewRow = Omit<NewAudit, 'at' | 'count' | 'topic' | 'fold'>
type LoggedRow = Omit<NewRow, 'facts'>
/** The time within which repetitions of an act are one row, in ms; null = always. */
type Span = number | null

/**
 * Records what people do, in the log and in a table for admins. Refusals are written by `flush`, a job, so that an
 * attack costs no transaction per guess; it also retries a write that failed.
 */
export function createAudit({ store, now, log, outside, days }: Needs) {
  const counts = new Map<string, number>()
  const { add, flush } = createOutbox(store, now)

  function record(act: RecordedAct, spanMs: Span = HOUR) {
    const { kind, via = '', detail = '', facts = {} } = act
    const { by, about, source, address } = partiesOf(act, outside)
    const row = {
      kind,
      source,
      actor_name: by?.username ?? '',
      about: about?.uuid ?? '',
      about_name: about?.username ?? '',
      address,
      via,
      reason: '',
      detail: plainName(detail || textOf(facts), MAX_DETAIL),
      facts: JSON.stringify(facts),
    }
    logAct(row)
    add(row, spanMs)
    return store.write(flush)
  }

  /** The form that `docs/accounts.md` promises. */
  function logAct({ kind, source, actor_name, address, about_name, via, detail }: LoggedRow) {
    const labels = `{kind="${kind}"}`
    counts.set(labels, (counts.get(labels) ?? 0) + 1)
    log.info('Activity', {
      kind,
      source: isAccount(source) ? 'user' : source,
      by: actor_name,
      ...(address && { address }),
      ...(about_name && { about: about_name }),
      ...(via && { via }),
      ...(detail && { detail }),
    })
  }

  return {
    /** Acts since the start of the process, refusals excepted, by the labels of their metric. */
    counts: counts as ReadonlyMap<string, number>,
    listeners: listenersOf(store, { record, add, logAct }),
    record,
    /** Writes what waits. */
    flush,
    /** Forgets what is old. */
    removeOld: () => store.audit.removeBefore(now() - days * DAY),
    stop: flush,
  }
}

/** Collects acts until they are written together. */
function createOutbox(store: Store, now: Clock) {
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
      for (const source of new Set(rows.map(row => row.source))) store.audit.removeBeyond(source, MAX_PER_SOURCE)
      store.audit.removeBeyondAll(MAX_COUNT)
    })
    waiting.clear()
  }

  /** Adds an act to those that wait, or counts it up. */
  function add(row: NewRow, spanMs: Span) {
    const at = now()
    const span = spanMs === null ? '' : Math.floor(at / spanMs)
    const fold = new Bun.CryptoHasher('sha256')
      .update(JSON.stringify([span, row]))
      .digest('base64url')
      .slice(0, 22)
    const before = waiting.get(fold)
    if (!before && waiting.size >= MAX_WAITING) waiting.delete(waiting.keys().next().value!)
    waiting.set(fold, { ...row, fold, topic: topicOf(row.kind), at, count: (before?.count ?? 0) + 1 })
  }

  return { add, flush }
}

type Writing = {
  record: (act: RecordedAct, spanMs?: Span) => void
  add: (row: NewRow, spanMs: Span) => void
  logAct: (row: LoggedRow) => void
}

/** Turns events into acts. */
function listenersOf(store: Store, { record, add, logAct }: Writing): Listeners {
  const note = (kind: AuditKind, detail: string, about?: Person | null) =>
    record({ kind, detail, ...(about && { about }) })
  const personOf = (userId: number) => store.users.find(userId)
  const titleOf = (podcastId: number) => store.podcasts.find(podcastId)?.title ?? ''

  return {
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
          facts: '{}',
        },
        DAY,
      )
    },
    accountAttacked({ name, failures }) {
      const owner = store.users.findByName(name)
      const row = {
        kind: 'account-attacked' as const,
        source: 'stranger',
        actor_name: '',
        about: owner?.uuid ?? '',
        about_name: owner?.username ?? plainName(name),
        address: '',
        via: 'password',
        reason: '',
        detail: '',
        facts: '{}',
      }
      logAct({ ...row, detail: `${failures} wrong passwords` })
      add(row, DAY)
    },
    renewalReused({ userId, app }) {
      const owner = personOf(userId)
      record({ kind: 'renewal-reused', detail: app, ...(owner && { about: owner }) })
    },
    sessionEnded: ({ userId, device }) => note('session-ended', device, personOf(userId)),
    appSessionEnded: ({ userId, app }) => note('session-ended', app, personOf(userId)),
    feedKeyRenewed: ({ userId }) => note('feed-key-renewed', '', personOf(userId)),
    // An import, and its undo, is one act.
    addedPodcast: ({ podcastId, source }) => source !== 'import' && note('podcast-added', titleOf(podcastId)),
    podcastRemoved: ({ title, source }) => source !== 'import' && note('podcast-removed', title),
    backupMade: ({ name }) => note('backup-made', name),
    backupFailed: ({ reason }) => note('backup-failed', reason),
  }
}

/** Actor, subject and address of an act. A command is the actor of everything that it does. */
function partiesOf({ actor, about }: RecordedAct, outside: Needs['outside']) {
  const request = actingNow()
  const isCommand = !request && outside === 'command-line'
  const by = isCommand ? null : (actor ?? request?.actor ?? (request ? about : null) ?? null)
  const whom = about ?? (isCommand ? actor : null) ?? null
  // Work for one person may begin in the request of another.
  const isTheirs = !actor || !request?.actor || request.actor.uuid === actor.uuid
  return {
    by,
    about: whom?.uuid === by?.uuid ? null : whom,
    source: by?.uuid ?? (request ? 'stranger' : outside),
    address: request && isTheirs ? addressOf(request.address()) : '',
  }
}

const addressOf = (address: string) => (address === 'unknown' ? '' : asNetwork(address))

/** The facts of an act for the log, and for clients that show only the detail. */
function textOf({ changes = [], podcasts }: AuditFacts): string {
  if (podcasts) return `${podcasts.added} added, ${podcasts.present} present, ${podcasts.failed} failed`
  return changes.map(({ name, before, after }) => `${name}: ${before} → ${after}`).join(', ')
}

const MAX_NAME = 60

/** Logs refused sign-ins in the form that `docs/accounts.md` promises and fail2ban reads, and counts them. */
export function createRefusals({ store, log }: { store: Store; log: Log }) {
  const counts = new Map<string, number>()

  function note({ way, reason, name, address, isRepeated }: RefusedAttempt) {
    const labels = `{via="${way}",reason="${reason}"}`
    counts.set(labels, (counts.get(labels) ?? 0) + 1)
    if (isRepeated) return
    const isUnknown = reason === 'wrong-password' && store.users.findByName(name) === null
    log.info('Sign-in refused', {
      address: asNetwork(address),
      via: way,
      reason: isUnknown ? 'unknown-name' : reason,
      name: plainName(name),
    })
  }

  return {
    /** Refusals since the start of the process, by the labels of their metric: as many as there are ways and reasons. */
    counts: counts as ReadonlyMap<string, number>,
    listeners: { signInRefused: note } satisfies Listeners,
  }
}

/** An address as a ban needs it: one of IPv6 was reduced to its /64 network. */
const asNetwork = (address: string) => (address.includes(':') ? `${address}/64` : address)

/** A name that a stranger typed, cut, and without characters that hide or turn round what follows. */
function plainName(name: string, most = MAX_NAME): string {
  const plain = name
    .slice(0, 2 * most)
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}')
  const shown = [...plain]
  return shown.length > most ? `${shown.slice(0, most).join('')}…` : plain
}
