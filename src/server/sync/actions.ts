import { SECOND, type Clock } from '../clock'
import type { DomainEvent, Publish } from '../events'
import type { Listeners, Recorded, Report } from '../playback/record'
import type { Store } from '../store'
import {
  actionKinds,
  type ActionFilter,
  type ActionKind,
  type ActionRow,
  type HeardForSync,
  type KnownEpisode,
} from '../store/sync'
import type { UserRow } from '../store/users'
import { addressKey, readAddress } from './addresses'
import { EXCHANGE_SECONDS, NAMELESS, type SyncClock } from './clock'
import { createConsent, LIBRARY } from './consent'

type Needs = {
  store: Store
  clock: SyncClock
  now: Clock
  /** The one place where a position is decided on. */
  record: (userId: number, episode: Recorded, report: Report & { at: number }, listeners: Listeners) => unknown
  queue: Listeners['queue']
  publish: Publish
}

/** An action as an app sends it, its fields not looked at yet. */
export type GivenAction = Record<string, unknown>

const MOST_AT_ONCE = 1000

/**
 * What happened to episodes on a user's devices. All of it is kept, of feeds that the library does not have as well; what
 * was played moves the position in the library, by the same rule as the browser's own: the newest counts.
 */
export function createActions({ store, clock, now, record, queue, publish }: Needs) {
  const consent = createConsent(store)
  /** True while a phone's own report is written and told: it is kept already. */
  let isApplying = false
  let untold: DomainEvent[] = []
  const finishers = new Set<number>()
  const later: Listeners = {
    publish: event => untold.push(event),
    queue: { dropFinished: userId => finishers.add(userId) },
  }

  /** One transaction; what happened in it is told once it is there. */
  function inOne<T>(work: () => T): T {
    isApplying = true
    try {
      const result = store.inTransaction(() => {
        const result = work()
        // Once for all that were finished: the queue is written as a whole.
        for (const userId of finishers) queue.dropFinished(userId)
        return result
      })
      for (const event of untold) publish(event)
      return result
    } finally {
      untold = []
      finishers.clear()
      isApplying = false
    }
  }

  function read(user: UserRow, given: GivenAction, receivedAt: number): Omit<ActionRow, 'id'> | null {
    const feed = readAddress(text(given.podcast))
    const media = readAddress(text(given.episode))
    const action = text(given.action).toLowerCase() as ActionKind
    if (!feed || !media || !actionKinds.includes(action)) return null
    const isPlay = action === 'play'
    const saidAt = readTime(given.timestamp)
    return {
      user_id: user.id,
      feed_key: addressKey(feed),
      feed_url: text(given.podcast).trim(),
      media_key: addressKey(media),
      media_url: text(given.episode).trim(),
      guid: /^(|null)$/.test(text(given.guid).trim()) ? null : text(given.guid).slice(0, 2000),
      action,
      device: text(given.device).slice(0, 64),
      // What is yet to come counts as now.
      at: Math.max(0, Math.min(saidAt ?? receivedAt, receivedAt)),
      said_at: saidAt,
      started: isPlay ? seconds(given.started) : null,
      position: isPlay ? seconds(given.position) : null,
      total: isPlay ? seconds(given.total) : null,
      received_at: receivedAt,
    }
  }

  /**
   * Finds episodes of the library by guid, or by the address of their media. Where that is spelled otherwise than in the
   * feed, all addresses of the podcast are read, once.
   */
  function createFinder() {
    const podcasts = new Map(store.sync.feeds().map(({ id, url }) => [addressKey(url), id]))
    const addresses = new Map<number, Map<string, number>>()
    function addressesOf(podcastId: number) {
      let known = addresses.get(podcastId)
      if (!known) {
        known = new Map(store.sync.mediaOf(podcastId).map(({ id, url }) => [addressKey(url), id]))
        addresses.set(podcastId, known)
      }
      return known
    }
    return ({ feed_key, guid, media_key, media_url }: Omit<ActionRow, 'id'>): KnownEpisode | null => {
      const podcastId = podcasts.get(feed_key)
      if (podcastId === undefined) return null
      const known =
        (guid === null ? null : store.sync.findByGuid(podcastId, guid)) ?? store.sync.findByMedia(podcastId, media_url)
      if (known) return known
      const id = addressesOf(podcastId).get(media_key)
      return id === undefined ? null : store.sync.findKnown(id)
    }
  }

  /** Moves the position in the library, unless a newer one is known. */
  function apply(row: Omit<ActionRow, 'id'>, episode: KnownEpisode) {
    const isNew = row.action === 'new'
    const known = store.playback.find(row.user_id, episode.id)?.updated_at ?? 0
    // Of one second, which is as fine as apps tell it, the last to arrive counts: everybody reads it so from the list.
    if (Math.floor(known / SECOND) > row.at) return
    const report = {
      position: isNew ? 0 : row.position!,
      started: row.started,
      total: row.total,
      at: Math.max(row.at * SECOND, known),
      device: row.device || 'sync',
      ...(isNew && { finished: false }),
    }
    record(row.user_id, episode, report, later)
  }

  /** What was heard in the browser, as an action of the library's own: the last of each episode. */
  function tell(userId: number, heard: readonly HeardForSync[]) {
    const receivedAt = clock()
    for (const { feed_url, enclosure_url, guid, started, position, total, updated_at } of heard) {
      const media_key = addressKey(enclosure_url)
      store.sync.replaceActions(userId, media_key, LIBRARY)
      store.sync.addAction({
        user_id: userId,
        feed_key: addressKey(feed_url),
        feed_url,
        media_key,
        media_url: enclosure_url,
        guid,
        action: 'play',
        device: LIBRARY,
        at: Math.floor(updated_at / SECOND),
        said_at: null,
        started: started ?? 0,
        position,
        total,
        received_at: receivedAt,
      })
    }
  }

  return {
    /**
     * Bad ones are left out: an app that is refused sends the same again, for ever. Answers the second to ask from next: that of
     * the upload, or of what others have sent while the exchange went on.
     */
    upload(user: UserRow, given: readonly GivenAction[]): number {
      return inOne(() => {
        const receivedAt = clock()
        const find = createFinder()
        const rows = given.map(action => read(user, action, receivedAt)).filter(row => row !== null)
        for (const device of new Set(rows.map(row => row.device)))
          if (device) store.sync.saveDevice(user.id, device, {}, now())
        for (const row of rows) {
          if (!store.sync.addAction(row) || !tellsPosition(row)) continue
          const episode = find(row)
          if (episode) apply(row, episode)
        }
        const own = new Set(rows.map(({ device }) => device).filter(device => device !== NAMELESS))
        return store.sync.firstAction(user.id, receivedAt - EXCHANGE_SECONDS, [...own]) ?? receivedAt
      })
    },

    /** From a second on, that second included; what does not fit is fetched by asking from `timestamp` on. */
    since(user: UserRow, filter: Omit<ActionFilter, 'limit'>) {
      const told = clock()
      const rows = store.sync.actions(user.id, { ...filter, limit: MOST_AT_ONCE })
      const last = rows.at(-1)?.received_at
      if (rows.length < MOST_AT_ONCE || last === undefined)
        return { rows: consent.ofActions(user, rows), timestamp: told }
      // A second's actions stay together, or the next answer would begin with these again and never end.
      const rest = store.sync.actions(user.id, { ...filter, since: last, until: last, limit: Number.MAX_SAFE_INTEGER })
      const kept = rows.filter(row => row.received_at < last)
      return { rows: consent.ofActions(user, [...kept, ...rest]), timestamp: last + 1 <= told ? last + 1 : told }
    },

    /** Where a user is in these episodes now, or in all of them. */
    tell(userId: number, episodeIds: readonly number[] | null) {
      store.inTransaction(() => tell(userId, store.sync.heardBy(userId, episodeIds)))
    },
    /** Whether what is told of right now is a phone's own report. */
    isApplying: () => isApplying,
    /** The library has a feed that apps have told of before: their positions count now. */
    catchUp(podcastId: number, among: ReadonlySet<number> | null = null) {
      const keys = new Set(store.sync.feedsOf(podcastId).map(addressKey))
      const rows = [...keys].flatMap(key => store.sync.playsOf(key))
      if (rows.length === 0) return
      const find = createFinder()
      inOne(() => {
        for (const row of rows) {
          const episode = tellsPosition(row) ? find(row) : null
          if (episode && (among === null || among.has(episode.id))) apply(row, episode)
        }
      })
    },
  }
}
export type Actions = ReturnType<typeof createActions>

const tellsPosition = ({ action, position }: Pick<ActionRow, 'action' | 'position'>) =>
  action === 'new' || (action === 'play' && position !== null)

const text = (given: unknown) => (typeof given === 'string' ? given : '')

/** Whole seconds; null for what is none, as the -1 of some apps. */
function seconds(given: unknown): number | null {
  const value = typeof given === 'number' || typeof given === 'string' ? Math.floor(Number(given)) : Number.NaN
  return Number.isFinite(value) && value >= 0 && value < 2 ** 31 ? value : null
}

/** Unix seconds, from any spelling that apps have: with a zone, without one (UTC), with fractions, as a number. */
export function readTime(given: unknown): number | null {
  if (typeof given === 'number' && Number.isFinite(given)) return Math.floor(given)
  const value = text(given).trim()
  if (/^\d+(\.\d+)?$/.test(value)) return Math.floor(Number(value))
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(value)
  if (!match) return null
  const [, date, time, zone = 'Z'] = match
  const ms = Date.parse(`${date}T${time}${/^z$/i.test(zone) ? 'Z' : zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2')}`)
  return Number.isNaN(ms) ? null : Math.floor(ms / SECOND)
}
