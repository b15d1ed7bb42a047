import { DAY, HOUR, SECOND, type Clock } from '../platform/clock'
import type { DomainEvent, Publish } from '../platform/events'
import type { Listeners, Recorded, Report } from '../playback/record'
import type { Store } from '../store'
import type { ActionFilter, PlaybackForSync, KnownEpisode, NewAction } from '../store/episode-actions'
import type { UserRow } from '../store/users'
import { addressKey } from './addresses'
import { createExchanges, NAMELESS, type SyncClock } from './clock'
import { createConsent, LIBRARY } from './consent'
import { createEpisodeFinder } from './find-episode'
import type { LibraryAddresses } from './library'
import { hasPlace, isFinished, readAction, type GivenAction } from './read-action'
import { createSpelling } from './spelling'

type Needs = {
  store: Store
  addresses: LibraryAddresses
  clock: SyncClock
  now: Clock
  /** The one place where a position is decided on. */
  record: (userId: number, episode: Recorded, report: Report & { at: number }, listeners: Listeners) => unknown
  queue: Listeners['queue']
  publish: Publish
}

const LONGEST_PLAY = DAY / SECOND

/**
 * What happened to episodes on a user's devices. All of it is kept, of feeds that the library does not have as well; what
 * was played moves the position in the library, by the same rule as the browser's own: the newest counts.
 */
export function createActions({ store, addresses, clock, now, record, queue, publish }: Needs) {
  const consent = createConsent(store, addresses)
  const exchanges = createExchanges()
  /** True while a phone's own report is written and published: it is kept already. */
  let isApplying = false
  let unpublished: DomainEvent[] = []
  const finishers = new Set<number>()
  const later: Listeners = {
    publish: event => unpublished.push(event),
    queue: { dropFinished: userId => finishers.add(userId) },
  }

  /** One transaction; what happened in it is published once it is there. */
  function inOne<T>(work: () => T): T {
    isApplying = true
    try {
      const result = store.inTransaction(() => {
        const result = work()
        // Once for all that were finished: the queue is written as a whole.
        for (const userId of finishers) queue.dropFinished(userId)
        return result
      })
      for (const event of unpublished) publish(event)
      return result
    } finally {
      unpublished = []
      finishers.clear()
      isApplying = false
    }
  }

  /** Moves the position in the library, unless a newer one is known. */
  function apply(row: NewAction, episode: KnownEpisode) {
    const isNew = row.action === 'new'
    const before = store.playback.find(row.user_id, episode.id)
    const known = before?.updated_at ?? 0
    // Of one second, which is as fine as apps tell it, the last to arrive counts: everybody reads it so from the list.
    if (Math.floor(known / SECOND) > row.at) return
    const ended = isFinished(row)
    const report = {
      position: isNew ? 0 : ended ? Math.max(row.position!, before?.position ?? 0) : row.position!,
      started: row.started,
      // The app's length of it may be too short, or none: what was heard is not unheard by that.
      total: ended ? Math.max(row.total!, before?.total ?? 0, episode.duration) : row.total,
      at: Math.max(row.at * SECOND, known),
      device: row.device || 'sync',
      isCounted: true,
      ...((isNew || ended) && { finished: ended }),
    }
    record(row.user_id, episode, report, later)
  }

  /** From where an app started to where it stopped; where it reports as it goes on, from where it stopped before. */
  function countListened(id: number, row: NewAction, { id: episodeId, podcast_id }: KnownEpisode) {
    if (row.action !== 'play' || row.position === null) return
    const before = store.sync.findPlayBefore(id)
    const goesOn =
      before !== null &&
      before.position !== null &&
      before.position < row.position &&
      (row.started === null || row.started === before.started)
    const from = goesOn ? before.position! : (row.started ?? row.position)
    const heard = Math.min(row.position - from, LONGEST_PLAY)
    if (heard > 0) store.listened.add(row.user_id, Math.floor((row.at * SECOND) / HOUR), episodeId, podcast_id, heard)
  }

  /** What was heard in the browser, as an action of the library's own: the last of each episode. */
  function tell(userId: number, heard: readonly PlaybackForSync[]) {
    const receivedAt = clock()
    for (const { episode_id, feed_url, enclosure_url, feed_guid, started, position, total, updated_at } of heard) {
      const media_key = addressKey(enclosure_url)
      store.sync.linkActions(userId, { mediaKey: media_key, guid: feed_guid }, episode_id)
      store.sync.replaceActions(userId, episode_id, LIBRARY)
      store.sync.addAction({
        user_id: userId,
        feed_key: addressKey(feed_url),
        feed_url,
        media_key,
        media_url: enclosure_url,
        guid: feed_guid,
        action: 'play',
        device: LIBRARY,
        at: Math.floor(updated_at / SECOND),
        said_at: null,
        started: started ?? 0,
        position,
        total,
        received_at: receivedAt,
        episode_id,
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
        const find = createEpisodeFinder(store, addresses)
        const rows = given.map(action => readAction(user.id, action, receivedAt)).filter(row => row !== null)
        const devices = new Set(rows.map(row => row.device))
        for (const device of devices)
          if (device) {
            store.sync.saveDevice(user.id, device, {}, now())
            store.sync.noteSync(user.id, device, receivedAt, false)
          }
        for (const row of rows) {
          const episode = find(row)
          if (episode) store.sync.linkActions(user.id, { mediaKey: row.media_key, guid: row.guid }, episode.id)
          const id = store.sync.addAction({ ...row, episode_id: episode?.id ?? null })
          if (id === null || !episode || !hasPlace(row)) continue
          countListened(id, row, episode)
          apply(row, episode)
        }
        devices.delete(NAMELESS)
        const since = exchanges.begin(`${user.id} ${[...devices].sort().join(' ')}`, receivedAt)
        return store.sync.firstAction(user.id, since, [...devices]) ?? receivedAt
      })
    },

    /**
     * The last of each episode from a second on, that second included, and all of them at once: some apps never ask for a
     * second part. `timestamp` is the second to ask from next.
     */
    since(user: UserRow, filter: Omit<ActionFilter, 'podcast'> & { podcast?: string | null }) {
      const timestamp = clock()
      const { podcast: address } = filter
      const podcast = address
        ? { feedKey: addressKey(address), id: addresses.finder()(address)?.podcastId ?? null }
        : null
      const rows = consent.ofActions(user, store.sync.actions(user.id, { ...filter, podcast }))
      return { actions: rows.map(createSpelling(store, addresses, user)), timestamp }
    },
    /** Where a user is in these episodes now, or in all of them. */
    tell(userId: number, episodeIds: readonly number[] | null) {
      store.inTransaction(() => tell(userId, store.sync.playbackOf(userId, episodeIds)))
    },
    /** Whether what is published right now is a phone's own report. */
    isApplying: () => isApplying,
    /** The library has a feed, or an episode of it, that apps have told of before: their positions count now. */
    catchUp(podcastId: number, among: ReadonlySet<number> | null = null) {
      const keys = new Set(store.sync.feedsOf(podcastId).map(addressKey))
      const rows = [...keys].flatMap(key => store.sync.actionsOfFeed(key)).filter(row => row.episode_id === null)
      if (rows.length === 0) return
      const find = createEpisodeFinder(store, addresses)
      inOne(() => {
        for (const row of rows) {
          const episode = find(row)
          if (!episode || (among !== null && !among.has(episode.id))) continue
          store.sync.linkAction(row.id, episode.id)
          if (!hasPlace(row)) continue
          countListened(row.id, row, episode)
          apply(row, episode)
        }
      })
    },
  }
}
export type Actions = ReturnType<typeof createActions>
