import { DAY, HOUR, SECOND, type Clock } from '../platform/clock'
import type { Playback, Recording } from '../playback/playback'
import type { Store } from '../store'
import type { NewAction } from '../store/episode-actions'
import type { KnownEpisode } from '../store/subscriptions'
import { addressKey } from './addresses'
import type { SyncClock } from './clock'
import { createEpisodeFinder } from './find-episode'
import type { LibraryAddresses } from './library'
import { hasPlace, isFinished } from './read-action'

// Why: docs/internals/decisions/0016

export type IntakeNeeds = {
  store: Store
  addresses: LibraryAddresses
  clock: SyncClock
  now: Clock
  playback: Pick<Playback, 'write' | 'announce'>
}

type Add = (id: number, row: NewAction, episode: KnownEpisode) => void

const LONGEST_PLAY = DAY / SECOND

/** Moves positions in the library by the actions of apps. */
export function createIntake({ store, addresses, playback }: IntakeNeeds) {
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
    /** The library has a feed, or these episodes of it, that apps reported on before: those positions count now. */
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

/** An action as a report for the library; null where a newer position is known. */
function reportOf(row: NewAction, episode: KnownEpisode, before: ReturnType<Store['playback']['find']>) {
  const known = before?.updated_at ?? 0
  // Apps report whole seconds. Within one second the last to arrive wins, as it does in the list that all apps read.
  if (Math.floor(known / SECOND) > row.at) return null
  const isNew = row.action === 'new'
  const ended = isFinished(row)
  return {
    position: isNew ? 0 : ended ? Math.max(row.position!, before?.position ?? 0) : row.position!,
    started: row.started,
    // The app's length of the episode may be too short or missing: it takes nothing back that was played.
    total: ended ? Math.max(row.total!, before?.total ?? 0, episode.duration) : row.total,
    at: Math.max(row.at * SECOND, known),
    device: row.device || 'sync',
    isSettled: true,
    ...((isNew || ended) && { finished: ended }),
  }
}

/**
 * Counts the seconds from where an app started to where it stopped; from its last report where it reports while
 * playing.
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
  const played = Math.min(row.position - from, LONGEST_PLAY)
  if (played > 0) store.listened.add(row.user_id, Math.floor((row.at * SECOND) / HOUR), episodeId, podcast_id, played)
}
