import { type Clock, DAY, HOUR, SECOND } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'
import type { PlaySessionRow } from '../store/playback'
import type { Viewer } from '../store/visibility'
import { createPlayback, isAtEnd, type Playback, type Recording } from './playback'

type Needs = Parameters<typeof createPlayback>[0] &
  Omit<Parameters<typeof createPlaySessions>[0], 'playback'> &
  Parameters<typeof createHidden>[0]

/** Creates everything that records positions in episodes. */
export function createPlaying(needs: Needs) {
  const playback = createPlayback(needs)
  return { playback, playSessions: createPlaySessions({ ...needs, playback }), hide: createHidden(needs) }
}

// Why: docs/internals/decisions/0016

type SessionNeeds = { store: Store; now: Clock; playback: Playback }
type Played = Pick<EpisodeRow, 'id' | 'eid' | 'podcast_id' | 'duration'>
type Device = Pick<PlaySessionRow, 'device_id' | 'device_name' | 'info'>

/** The position of a session. Seconds; `listened` since the last report, `total` null = unknown. */
type SessionReport = { position: number; listened: number; total: number | null }

/** A session that was played without a network. `listened`: in the whole session; `at`: when it was last played. */
type OfflinePlay = Device & SessionReport & { uuid: string; start: number; startedAt: number | null; at: number | null }

/** A phone may stay paused for a night. */
const OPEN_MS = 36 * HOUR
/** An app may send again what it played, and that counts once. */
const KEPT_MS = 30 * DAY
/** Reports arrive a little sooner or later than they are sent. */
const LEEWAY_SECONDS = 15
const MAX_LENGTH = DAY / SECOND

/**
 * Sessions in which apps play: each is one time that a person began an episode on a device. Its id gives access to the
 * media while it is open. Reports move the position like those of our player.
 */
function createPlaySessions(needs: SessionNeeds) {
  const { store, now, playback } = needs
  const { playSessions } = store

  /** Writes a state of a session and the position that it reports; returns whether the position counts. */
  function record(step: Step): boolean {
    const recording = store.inTransaction(() => {
      if (step.isNew) playSessions.add(step.after)
      else playSessions.update(step.after)
      return hasMoved(step) ? writePosition(needs, step) : null
    })
    if (recording) playback.announce([recording], 'library', { playSession: step.after.uuid })
    return recording?.isNews ?? false
  }

  return {
    /** Begins a session at the person's position, or the start if it was finished; ends others of the same device. */
    begin(userId: number, appSessionId: number, episode: Played, device: Device): PlaySessionRow {
      return store.inTransaction(() => {
        if (device.device_id) playSessions.closeOfDevice(userId, device.device_id)
        const known = store.playback.find(userId, episode.id)
        const position = known && !known.finished ? known.position : 0
        const session: PlaySessionRow = {
          ...device,
          uuid: crypto.randomUUID(),
          user_id: userId,
          episode_id: episode.id,
          app_session_id: appSessionId,
          started_at: now(),
          updated_at: now(),
          said_at: null,
          start_position: position,
          position,
          listened: 0,
          is_open: 1,
        }
        playSessions.add(session)
        return session
      })
    },
    /** An open session; null for one that is unknown, ended, forgotten after 36 hours, or signed out. */
    findOpen: (uuid: string) => playSessions.findOpen(uuid, now() - OPEN_MS),
    /** The open sessions of all users that play what a viewer may see, the latest first. */
    listOpen: (viewer: Viewer, limit: number) => playSessions.listOpen(viewer, now() - OPEN_MS, limit),
    /** A player that neither moved nor played says nothing about the position. */
    sync(session: PlaySessionRow, episode: Played, { position, listened, total }: SessionReport) {
      const heard = Math.min(listened, secondsBetween(session.updated_at, now()) + LEEWAY_SECONDS)
      const after = { ...session, position, listened: session.listened + heard, updated_at: now(), said_at: null }
      record({ before: session, after, episode, total, at: null })
    },
    /** Notes that the app is still there. */
    touch: (session: PlaySessionRow) => playSessions.update({ ...session, updated_at: now() }),
    close: (session: PlaySessionRow) => playSessions.close(session.uuid),
    /**
     * Takes a session that was played without a network, or a later state of it. Sent again, it changes nothing.
     * Returns whether the position counts; null = the id belongs to another person or episode.
     */
    takeOffline(userId: number, episode: Played, play: OfflinePlay): boolean | null {
      const known = playSessions.find(play.uuid)
      if (known && (known.user_id !== userId || known.episode_id !== episode.id)) return null
      const said_at = play.at ?? now()
      if (known && isOlder(known, { ...play, said_at })) return false
      // By the app's own clock, which may be ahead of ours.
      const elapsed = secondsBetween(play.startedAt ?? said_at - DAY, said_at)
      const heard = Math.min(play.listened, elapsed + LEEWAY_SECONDS, MAX_LENGTH)
      const before = known ?? offlineSession(userId, episode, play, now())
      const listened = Math.max(before.listened, heard)
      const after = { ...before, position: play.position, listened, updated_at: now(), said_at }
      return record({
        before,
        after,
        episode,
        total: play.total,
        at: known ? afterItself(store, known, said_at) : said_at,
        isNew: !known,
      })
    },
    removeOld: () => playSessions.removeBefore(now() - KEPT_MS),
  }
}

/** A session before and after a report; `at` null = now. */
type Step = {
  before: PlaySessionRow
  after: PlaySessionRow
  episode: Played
  total: number | null
  at: number | null
  isNew?: boolean
}

const hasMoved = ({ before, after, isNew }: Step) =>
  isNew || after.position !== before.position || after.listened > before.listened

function writePosition(
  { store, playback }: SessionNeeds,
  { before, after, episode, total: reported, at }: Step,
): Recording {
  const total = reported ?? store.playback.find(after.user_id, episode.id)?.total ?? (episode.duration || null)
  return playback.write(after.user_id, episode, {
    position: after.position,
    started: after.start_position,
    total,
    at,
    device: after.device_name,
    finished: isAtEnd(after.position, total),
    listened: Math.floor(after.listened) - Math.floor(before.listened),
  })
}

/** Whether a state of a session is older than the known one: it arrived late, or twice. */
function isOlder(known: PlaySessionRow, { said_at, listened }: { said_at: number; listened: number }): boolean {
  if (known.said_at === null) return listened < known.listened
  return said_at < known.said_at && listened <= known.listened
}

/** A session continues where it was left, after its own last report, by whatever clock the app has. */
function afterItself(store: Store, known: PlaySessionRow, at: number): number {
  const current = store.playback.find(known.user_id, known.episode_id)
  if (current === null || current.position !== Math.floor(known.position)) return at
  // The position was written a moment after the session. Another device may have stopped at the same second.
  const isOwn = current.device === known.device_name && current.updated_at <= known.updated_at + SECOND
  return isOwn ? Math.max(at, current.updated_at) : at
}

const offlineSession = (userId: number, episode: Played, play: OfflinePlay, now: number): PlaySessionRow => ({
  uuid: play.uuid,
  user_id: userId,
  episode_id: episode.id,
  app_session_id: null,
  device_id: play.device_id,
  device_name: play.device_name,
  started_at: Math.min(play.startedAt ?? now, now),
  updated_at: now,
  said_at: play.at,
  start_position: play.start,
  position: play.start,
  listened: 0,
  // An app may choose ids that can be guessed: those give access to nothing.
  is_open: 0,
  info: play.info,
})

const secondsBetween = (from: number, to: number) => Math.max(0, to - from) / SECOND

type HideNeeds = { store: Store; publish: Publish; now: Clock }

/** Hides an episode from Continue listening until it is played again. */
const createHidden =
  ({ store, publish, now }: HideNeeds) =>
  (userId: number, { id, eid }: Pick<EpisodeRow, 'id' | 'eid'>, hidden: boolean) => {
    const isNews = hidden ? store.playbackHidden.add(userId, id, now()) : store.playbackHidden.remove(userId, id)
    if (isNews) publish({ type: 'episodeHidden', userId, eid, hidden })
  }
