import type { Store } from '../store'
import type { ActionFilter } from '../store/episode-actions'
import { isFolderAddress } from '../store/feeds'
import type { PlaybackForSync } from '../store/subscriptions'
import type { UserRow } from '../store/users'
import { SECOND } from '../platform/clock'
import { addressKey } from './addresses'
import { createExchanges, NAMELESS } from './clock'
import { createConsent, LIBRARY } from './consent'
import { createEpisodeFinder } from './find-episode'
import { createIntake, type IntakeNeeds } from './intake'
import { readAction, type GivenAction } from './read-action'
import { createSpelling, type SentAction } from './spelling'

export type Actions = ReturnType<typeof createActions>

/**
 * What happened to episodes on a user's devices. Every action is kept, also of feeds that the library does not have; a
 * played one moves the position in the library by the rule of the browser's own reports: the newest wins.
 */
export function createActions(needs: IntakeNeeds) {
  const { store, addresses, clock } = needs
  const consent = createConsent(store, addresses)
  const intake = createIntake(needs)
  const upload = createUpload(needs, intake)

  return {
    upload,
    catchUp: intake.catchUp,
    /**
     * Lists the last action of each episode from a second on, that second included, and all of them at once: some apps
     * never ask for a second part. `timestamp` is the second to ask from next.
     */
    since(user: UserRow, filter: Omit<ActionFilter, 'podcast'> & { podcast?: string | null }) {
      const timestamp = clock()
      const { podcast: address } = filter
      const podcast = address
        ? { feedKey: addressKey(address), id: addresses.finder()(address)?.podcastId ?? null }
        : null
      const rows = consent.ofActions(user, store.sync.actions(user.id, { ...filter, podcast }))
      const actions = rows.map(createSpelling(store, addresses, user))
      // No app can request what is only a file here.
      const isKnown = ({ podcast, episode }: SentAction) => !isFolderAddress(podcast) && !isFolderAddress(episode)
      return { actions: actions.filter(isKnown), timestamp }
    },
    /** Writes a user's present positions as actions of the library: in these episodes, or in all with null. */
    notePositions(userId: number, episodeIds: readonly number[] | null) {
      const receivedAt = clock()
      store.inTransaction(() => {
        for (const played of store.sync.playbackOf(userId, episodeIds)) notePosition(store, userId, played, receivedAt)
      })
    },
    /**
     * Writes positions that were taken back: as they are now; as unplayed, where there is none any more and the
     * library had reported one.
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
    /** Forgets what the library reported of an episode. */
    forgetReports: (episodeId: number) => store.sync.removeActionsOf(episodeId, LIBRARY),
    /** Forgets up to `most` reports of the library on a podcast; returns their number. */
    forgetReportsOfPodcast: (podcastId: number, most: number) =>
      store.sync.removeActionsOfPodcast(podcastId, LIBRARY, most),
  }
}

/**
 * Stores what an app reports. Invalid actions are left out: an app that is refused sends the same again for ever.
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
