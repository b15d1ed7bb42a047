import type { Store } from '../store'
import type { ActionFilter, NewAction } from '../store/episode-actions'
import { isFolderAddress } from '../store/feeds'
import type { KnownEpisode, PlaybackForSync } from '../store/subscriptions'
import type { UserRow } from '../store/users'
import { type Clock, DAY, HOUR, SECOND } from '../platform/clock'
import { addressKey } from './addresses'
import { createExchanges, NAMELESS, type SyncClock } from './devices'
import { createConsent, createEpisodeFinder, LIBRARY, type LibraryAddresses } from './library'
import { type GivenAction, hasPlace, isFinished, readAction, createSpelling, type SentAction } from './spelling'
import type { Playback, Recording } from '../playback/playback'

export type Actions = ReturnType<typeof createActions>

type Page = NonNullable<ActionFilter['page']>
type Wanted = Omit<ActionFilter, 'podcast' | 'page'> & { podcast?: string | null }

/** Actions that are read and spelled at once: a few milliseconds of work. */
const PART = 500

/**
 * Records what happened to episodes on a user's devices. Every action is kept, also of feeds that the library doesn't
 * have; a play moves the position in the library by the same rule as the browser's reports: the newest wins.
 */
export function createActions(needs: IntakeNeeds) {
  const { store, addresses, clock } = needs
  const consent = createConsent(store, addresses)
  const intake = createIntake(needs)
  const upload = createUpload(needs, intake)

  /** Lists the actions that a user's apps want, or a page of them. */
  function listerOf(user: UserRow, { podcast: address, ...filter }: Wanted) {
    const podcast = address
      ? { feedKey: addressKey(address), id: addresses.finder()(address)?.podcastId ?? null }
      : null
    const spell = createSpelling(store, addresses, user)
    return (page?: Page) => {
      const rows = store.sync.actions(user.id, { ...filter, podcast, ...(page && { page }) })
      const actions = consent.ofActions(user, rows).map(spell)
      // No app can request what exists only as a file here.
      const isKnown = ({ podcast, episode }: SentAction) => !isFolderAddress(podcast) && !isFolderAddress(episode)
      return { actions: actions.filter(isKnown), last: rows.at(-1) ?? null, isOver: rows.length < (page?.limit ?? 0) }
    }
  }

  return {
    upload,
    catchUp: intake.catchUp,
    /**
     * Lists the last action of each episode from a second on, that second included. `timestamp` is the second to ask
     * from next.
     */
    since(user: UserRow, filter: Wanted) {
      const timestamp = clock()
      return { actions: listerOf(user, filter)().actions, timestamp }
    },
    /**
     * The same in parts, between which other requests are answered: an app gets all at once, since some never ask for a
     * second part. What arrives in the meantime is sent with them, or follows `timestamp`.
     */
    sinceInParts(user: UserRow, filter: Wanted) {
      const timestamp = clock()
      const list = listerOf(user, filter)
      async function* parts() {
        for (let after: Page['after'] = null; ;) {
          const { actions, last, isOver } = list({ after, limit: PART })
          yield actions
          if (isOver) return
          after = last
          await new Promise(setImmediate)
        }
      }
      return { parts: parts(), timestamp }
    },
    /** Writes a user's current positions as actions of the library: in these episodes, or in all if null. */
    notePositions(userId: number, episodeIds: readonly number[] | null) {
      const receivedAt = clock()
      store.inTransaction(() => {
        for (const played of store.sync.playbackOf(userId, episodeIds)) notePosition(store, userId, played, receivedAt)
      })
    },
    /**
     * Writes positions that were undone: as they are now, or as unplayed if there is none any more and the library had
     * reported one.
     */
    takeBackPositions(userId: number, episodeIds: readonly number[]) {
      const receivedAt = clock()
      store.inTransaction(() => {
        const left = store.sync.playbackOf(userId, episodeIds)
        for (const played of left) notePosition(store, userId, played, receivedAt)
        const gone = [...new Set(episodeIds).difference(new Set(left.map(({ episode_id }) => episode_id)))]
        for (const unplayed of store.sync.unplayed(gone, needs.now()))
          if (store.sync.replaceActions(userId, unplayed.episode_id, LIBRARY) > 0)
            notePosition(store, userId, unplayed, receivedAt)
      })
    },
    /** Forgets what the library reported about an episode. */
    forgetReports: (episodeId: number) => store.sync.removeActionsOf(episodeId, LIBRARY),
    /** Forgets up to `most` reports of the library on a podcast; returns their number. */
    forgetReportsOfPodcast: (podcastId: number, most: number) =>
      store.sync.removeActionsOfPodcast(podcastId, LIBRARY, most),
  }
}

/**
 * Stores what an app reports. Invalid actions are skipped: an app whose request is refused would repeat it forever.
 * Returns the second to ask from next: that of the upload, or of what others sent during the exchange.
 */
function createUpload({ store, addresses, clock, now }: IntakeNeeds, intake: ReturnType<typeof createIntake>) {
  const exchanges = createExchanges()

  function noteDevices(userId: number, devices: ReadonlySet<string>, receivedAt: number) {
    for (const device of devices) {
      if (!device) continue
      store.sync.saveDevice(userId, device, {}, now())
      store.sync.noteSync(userId, device, receivedAt, false)
    }
  }

  return (user: UserRow, given: readonly GivenAction[]): number =>
    intake.collect(add => {
      const receivedAt = clock()
      const find = createEpisodeFinder(store, addresses)
      const rows = given.map(action => readAction(user.id, action, receivedAt)).filter(row => row !== null)
      const devices = new Set(rows.map(row => row.device))
      noteDevices(user.id, devices, receivedAt)
      for (const row of rows) {
        const episode = find(row)
        if (episode) store.sync.linkActions(user.id, { mediaKey: row.media_key, guid: row.guid }, episode.id)
        const id = store.sync.addAction({ ...row, episode_id: episode?.id ?? null })
        if (id !== null && episode) add(id, row, episode)
      }
      devices.delete(NAMELESS)
      const since = exchanges.begin(`${user.id} ${[...devices].sort().join(' ')}`, receivedAt)
      return store.sync.firstAction(user.id, since, [...devices]) ?? receivedAt
    })
}

/** Writes a position of the browser as an action of the library; it replaces the episode's last one. */
function notePosition(store: Store, userId: number, played: PlaybackForSync, receivedAt: number) {
  const { episode_id, feed_url, enclosure_url, feed_guid, started, position, total, updated_at } = played
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

// Why: docs/internals/decisions/0016

type IntakeNeeds = {
  store: Store
  addresses: LibraryAddresses
  clock: SyncClock
  now: Clock
  playback: Pick<Playback, 'write' | 'announce'>
}

type Add = (id: number, row: NewAction, episode: KnownEpisode) => void

const MAX_PLAY = DAY / SECOND

/** Moves positions in the library by the actions of apps. */
function createIntake({ store, addresses, playback }: IntakeNeeds) {
  /** Runs `work` in one transaction; positions that it moves are announced after the commit. */
  function collect<T>(work: (add: Add) => T): T {
    const recordings: Recording[] = []
    const result = store.inTransaction(() =>
      work((id, row, episode) => {
        if (!hasPlace(row)) return
        countPlayed(store, id, row, episode)
        const report = reportOf(row, episode, store.playback.find(row.user_id, episode.id))
        if (report) recordings.push(playback.write(row.user_id, episode, report))
      }),
    )
    playback.announce(recordings, 'sync')
    return result
  }

  return {
    collect,
    /**
     * Called when the library gets a feed, or these episodes of it, that apps have reported about: those positions
     * count now.
     */
    catchUp(podcastId: number, among: ReadonlySet<number> | null = null) {
      const keys = new Set(store.sync.feedsOf(podcastId).map(addressKey))
      const ofFeed = [...keys].flatMap(key => store.sync.actionsOfFeed(key)).filter(row => row.episode_id === null)
      const ofAddresses = store.sync.actionsOfAddresses()
      if (ofFeed.length + ofAddresses.length === 0) return
      const find = createEpisodeFinder(store, addresses)
      const findHere = (row: NewAction) => store.sync.findByMedia(podcastId, row.media_url)[0]
      collect(add => {
        for (const row of [...ofFeed, ...ofAddresses]) {
          const episode = row.feed_key === row.media_key ? findHere(row) : find(row)
          if (!episode || (among !== null && !among.has(episode.id))) continue
          store.sync.linkAction(row.id, episode.id)
          add(row.id, row, episode)
        }
      })
    },
  }
}

/** An action as a report for the library; null if a newer position is known. */
function reportOf(row: NewAction, episode: KnownEpisode, before: ReturnType<Store['playback']['find']>) {
  const known = before?.updated_at ?? 0
  // Apps report whole seconds. Within one second the last to arrive wins, as in the list that all apps read.
  if (Math.floor(known / SECOND) > row.at) return null
  const isNew = row.action === 'new'
  const ended = isFinished(row)
  return {
    position: isNew ? 0 : ended ? Math.max(row.position!, before?.position ?? 0) : row.position!,
    started: row.started,
    // The app's length of the episode may be too short or missing: it never undoes that an episode was played.
    total: ended ? Math.max(row.total!, before?.total ?? 0, episode.duration) : row.total,
    at: Math.max(row.at * SECOND, known),
    device: row.device || 'sync',
    isSettled: true,
    ...((isNew || ended) && { finished: ended }),
  }
}

/**
 * Counts the seconds from where an app started to where it stopped; from its last report if it reports while playing.
 */
function countPlayed(store: Store, id: number, row: NewAction, { id: episodeId, podcast_id }: KnownEpisode) {
  if (row.action !== 'play' || row.position === null) return
  const before = store.sync.findPlayBefore(id)
  const isContinued =
    before !== null &&
    before.position !== null &&
    before.position < row.position &&
    (row.started === null || row.started === before.started)
  const from = isContinued ? before.position! : (row.started ?? row.position)
  const played = Math.min(row.position - from, MAX_PLAY)
  if (played > 0) store.listened.add(row.user_id, Math.floor((row.at * SECOND) / HOUR), episodeId, podcast_id, played)
}
