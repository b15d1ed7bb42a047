import type { BegunWork } from '../begun-work'
import type { Outbound } from '../outbound/request'
import { type Clock, MINUTE, SECOND, DAY, HOUR } from '../platform/clock'
import type { Listeners } from '../platform/events'
import { type Log, describeError } from '../platform/log'
import type { Secret } from '../platform/secret'
import { createTexts } from '../platform/texts'
import type { Store } from '../store'
import { createManagement } from './manage'
import {
  combine,
  cutTitle,
  isUrgent,
  type News,
  type SignInFacts,
  type Announcement,
  type EpisodeFacts,
  type FeedFacts,
  forAdmins,
  type LiveFacts,
} from './news'
import { send, type SendFailure, type SendNeeds } from './send'
import { deriveVapidKeys, type VapidKeys } from './secrets'
import type { NewsType } from '../../shared/api/notification'
import type { DestinationRow, DeliveryRow } from '../store/destinations'
import { quietUntil } from './quiet'
import type { Viewer } from '../store/visibility'

// Why: docs/internals/decisions/0052

type Needs = { store: Store; secret: Secret; outbound: Outbound; now: Clock; log: Log; begun: BegunWork }

/** Destinations of people's news, and the messages that wait for them. */
export function createDestinations(needs: Needs) {
  const { store, secret, now } = needs
  let keys: VapidKeys | null = null
  const vapid = () => (keys ??= deriveVapidKeys(secret))
  const sending = { ...needs, texts: createTexts(), vapid }
  const stopping = new AbortController()
  const { pump, settled, stop } = createDeliveries(sending)
  const { purge, ...management } = createManagement({
    ...needs,
    sendOnce: (destination, message) => send(sending, destination, message, stopping.signal),
  })

  return {
    ...management,
    pushKey: () => vapid().publicKey,
    /** Notes news for the destinations of a user; see `recordNews`. */
    record: (userId: number, news: News) => recordNews(needs, userId, news),
    /** Notes a sign-in from a new place. Its texts are from a browser, so they are cut. */
    recordSignIn(userId: number, { at, device, address }: SignInFacts) {
      const facts = { at, device: cutTitle(device), address: cutTitle(address) }
      recordNews(needs, userId, { types: ['signedInElsewhere'], facts })
    },
    listeners: { signedInElsewhere: pump } satisfies Listeners,
    pump,
    settled,
    /** Deletes removed destinations, and messages that are stuck. */
    removeOld() {
      purge()
      store.deliveries.removeBefore(now() - STUCK_MS)
    },
    async stop() {
      stopping.abort(new Error('The server is stopping'))
      await stop()
    },
  }
}
export type Destinations = ReturnType<typeof createDestinations>

type RecordNeeds = { store: Store; now: Clock }

/** News that arrives within this time of other news of its type is reported with it. */
const GATHER_MS = 10 * SECOND
/** The shortest time between two messages to one destination, unless they are urgent or tried again. */
const BETWEEN_MS = MINUTE
/** The most messages of one type that wait for one destination; the oldest are dropped. */
const MAX_WAITING = 100

/**
 * Notes news for every destination of a user that wants it. Call it in the transaction that notes that the user was
 * notified: after a kill, either both happened or neither. News is added to the message of its type that has not been
 * tried yet.
 */
function recordNews({ store, now }: RecordNeeds, userId: number, { types, facts }: News) {
  // News must not be added to a message that is too old to be sent.
  store.deliveries.removeBefore(now() - STUCK_MS)
  for (const destination of store.destinations.listOpen(userId)) {
    const wanted = JSON.parse(destination.events) as NewsType[]
    const type = types.find(type => wanted.includes(type))
    if (type === undefined) continue
    const due_at = dueAt(destination, type, now())
    const waiting = isUrgent(type) ? null : store.deliveries.findUntried(destination.id, type)
    if (waiting) {
      const announcement = combine<Announcement['facts']>(
        type,
        JSON.parse(waiting.facts) as Announcement['facts'],
        facts,
      )
      store.deliveries.rewrite(waiting.id, JSON.stringify(announcement), due_at)
      continue
    }
    const destination_id = destination.id
    store.deliveries.add({ destination_id, type, facts: JSON.stringify(facts), created_at: now(), due_at })
    store.deliveries.removeBeyond(destination_id, type, MAX_WAITING)
  }
}

function dueAt(destination: DestinationRow, type: NewsType, now: number): number {
  if (isUrgent(type)) return now
  const sinceLast = Math.min((destination.last_success_at ?? 0) + BETWEEN_MS, now + BETWEEN_MS)
  return quietUntil(destination, now) ?? Math.max(now + GATHER_MS, sinceLast)
}

// Why: docs/internals/decisions/0052

/** Destinations that are notified at once. One that hangs occupies its place for as long as an attempt may take. */
const MAX_AT_ONCE = 32
const FIRST_PAUSE_MS = 30 * SECOND
const MAX_PAUSE_MS = 3 * HOUR
/** The time from the first attempt at a message to the last. */
const TRIED_FOR_MS = DAY
/** Longer than quiet hours and the day for which a message is tried: a restored backup contains old messages. */
const STUCK_MS = 3 * DAY

/** Time between an attempt and the next one: 30 seconds, a minute, two … three hours. */
const pauseAfter = (attempts: number) => Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, attempts - 1), MAX_PAUSE_MS)

/**
 * Delivers the messages that are due: one at a time to each destination, at least once. The row of a message names the
 * next attempt before the first byte is sent, so that a killed process tries again.
 */
function createDeliveries(needs: SendNeeds) {
  const { store, now, log } = needs
  const stopping = new AbortController()
  const running = new Map<number, Promise<void>>()

  function pump() {
    if (stopping.signal.aborted || running.size >= MAX_AT_ONCE) return
    // Destinations that are busy may be due as well.
    const due = store.deliveries.dueDestinations(now(), MAX_AT_ONCE + running.size)
    for (const id of due.filter(id => !running.has(id)).slice(0, MAX_AT_ONCE - running.size)) start(id)
  }

  function start(id: number) {
    const end = () => running.delete(id)
    const work = deliverNext(needs, id, stopping.signal).then(
      () => {
        end()
        pump()
      },
      error => {
        end()
        // Not repeated at once: the disk may be full. The next round follows anyway.
        log.error('Delivery failed', { error: describeError(error) })
      },
    )
    running.set(id, work)
  }

  return {
    /** Starts on everything that is due, and returns at once. */
    pump,
    /** Settles when nothing is being sent any more. */
    async settled() {
      while (running.size > 0) await Promise.all(running.values())
    },
    async stop() {
      stopping.abort(new Error('The server is stopping'))
      await Promise.all(running.values())
    },
  }
}

async function deliverNext(needs: SendNeeds, id: number, signal: AbortSignal) {
  const { store, now } = needs
  await store.whenWritable()
  const destination = store.destinations.find(id)
  const row = destination && store.inTransaction(() => beginNext(needs, destination))
  if (!row) return
  const item = { kind: 'delivery', key: row.uuid, label: destination.name } as const
  // A message that kills the process would do so at each attempt, and keep all later ones waiting.
  if (!needs.begun.begin(item)) return void store.inTransaction(() => drop(store, row))
  const announcement = { type: row.type, facts: JSON.parse(row.facts) } as Announcement
  try {
    const failure = await send(needs, destination, { key: row.uuid, announcement, createdAt: row.created_at }, signal)
    await store.whenWritable()
    store.inTransaction(() =>
      failure ? settleFailure(needs, destination, row, failure) : settle(needs, destination, row),
    )
  } catch (error) {
    // The server is stopping: the next start tries at once.
    if (!signal.aborted) throw error
    store.deliveries.postpone(row.id, now())
  } finally {
    needs.begun.end(item)
  }
}

/** The message to be sent now, unchangeable from now on; null = none may be sent at the moment. */
function beginNext({ store, now }: SendNeeds, destination: DestinationRow): DeliveryRow | null {
  const next = store.deliveries.nextFor(destination.id, now())
  const user = store.users.find(destination.user_id)
  if (!next || !user) return null
  if (next.created_at < now() - STUCK_MS) return drop(store, next)
  if (forAdmins.has(next.type) && user.role !== 'admin') return drop(store, next)
  const quiet = isUrgent(next.type) ? null : quietUntil(destination, now())
  if (quiet !== null) {
    store.deliveries.postpone(next.id, quiet)
    return null
  }
  if (!keepVisible(store, user, next)) return drop(store, next)
  store.deliveries.begin(next.id, next.facts, now(), now() + pauseAfter(next.attempts + 1))
  return { ...next, attempts: next.attempts + 1, first_tried_at: next.first_tried_at ?? now() }
}

function drop(store: SendNeeds['store'], { id }: DeliveryRow): null {
  store.deliveries.remove(id)
  return null
}

function settle({ store, now }: SendNeeds, destination: DestinationRow, row: DeliveryRow) {
  store.deliveries.remove(row.id)
  store.destinations.noteSuccess(destination.id, now())
}

/** Notes a failure, and ends what will not succeed: an address that is gone, or a message that is a day old. */
function settleFailure({ store, now, log }: SendNeeds, destination: DestinationRow, row: DeliveryRow, by: SendFailure) {
  const { failure, status, retryAfterMs } = by
  const hasEnded = failure === 'ended' && store.destinations.end(destination.id, destination.target)
  // The destination got another address during the attempt.
  if (failure === 'ended' && !hasEnded) return store.deliveries.postpone(row.id, now())
  store.destinations.noteFailure(destination.id, failure, status, now())
  log.debug('Delivery failed', { kind: destination.kind, host: destination.host, reason: failure, status })
  if (hasEnded) return store.deliveries.removeOf(destination.id)
  const nextAt = now() + Math.max(pauseAfter(row.attempts), Math.min(retryAfterMs ?? 0, MAX_PAUSE_MS + MINUTE))
  if (nextAt - (row.first_tried_at ?? now()) <= TRIED_FOR_MS) return store.deliveries.postpone(row.id, nextAt)
  store.deliveries.remove(row.id)
  log.warn('Message could not be delivered', {
    kind: destination.kind,
    host: destination.host,
    type: row.type,
    reason: failure,
  })
}

const aboutEpisodes: ReadonlySet<string> = new Set(['newEpisodes', 'downloadFinished', 'downloadFailed'])

/**
 * Removes from a message what its user may no longer see: consent may have been withdrawn, or a podcast turned out to
 * be explicit, while it waited. Returns whether anything is left.
 */
function keepVisible(store: Store, viewer: Viewer, row: DeliveryRow): boolean {
  if (viewer.explicit_consent === 1) return true
  if (row.type === 'feedFailing') return keepVisibleFeeds(store, viewer, row)
  if (row.type === 'liveStarted')
    return store.podcasts.findVisible(viewer, (JSON.parse(row.facts) as LiveFacts).podcastId) !== null
  if (!aboutEpisodes.has(row.type)) return true
  const facts = JSON.parse(row.facts) as EpisodeFacts
  const seen = facts.podcasts.filter(({ id }) => store.podcasts.findVisible(viewer, id) !== null)
  const hiddenPodcasts = new Set(facts.podcasts.filter(podcast => !seen.includes(podcast)).map(({ id }) => id))
  const episodes = facts.episodes.filter(
    ({ id, podcastId }) => !hiddenPodcasts.has(podcastId) && store.episodes.findVisible(viewer, id) !== null,
  )
  const lost = new Map<string, number>()
  for (const { podcastId } of facts.episodes.filter(episode => !episodes.includes(episode)))
    lost.set(podcastId, (lost.get(podcastId) ?? 0) + 1)
  const podcasts = seen
    .map(podcast => ({ ...podcast, episodeCount: podcast.episodeCount - (lost.get(podcast.id) ?? 0) }))
    .filter(({ episodeCount }) => episodeCount > 0)
  const kept: EpisodeFacts = {
    episodeCount: podcasts.reduce((sum, { episodeCount }) => sum + episodeCount, 0),
    podcastCount: podcasts.length,
    podcasts,
    episodes,
  }
  row.facts = JSON.stringify(kept)
  return kept.episodeCount > 0
}

/** Feeds that are only counted stay counted. */
function keepVisibleFeeds(store: Store, viewer: Viewer, row: DeliveryRow): boolean {
  const { feedCount, feeds } = JSON.parse(row.facts) as FeedFacts
  const seen = feeds.filter(({ podcastId }) => store.podcasts.findVisible(viewer, podcastId) !== null)
  const kept: FeedFacts = { feedCount: feedCount - (feeds.length - seen.length), feeds: seen }
  row.facts = JSON.stringify(kept)
  return seen.length > 0
}
