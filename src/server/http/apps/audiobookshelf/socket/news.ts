import type { DomainEvents, Listeners } from '../../../../platform/events'
import { createDelay, createItemNews, type NewsNeeds } from './item-news'
import { type Peers, sendTo, signedInPeers } from './peers'
import { logFailure } from '../../../../platform/log'
import type { PlaylistRow } from '../../../../store/playlists'
import { createItems } from '../items'
import { playlistJson } from '../playlists'
import { isSendable, sendMessage } from './session'
import type { UserRow } from '../../../../store/users'
import { presentDownload } from '../shapes/episode'
import { libraryIdOf } from '../shapes/library'
import { eventMessage } from './wire'
import { accountOf } from '../account'
import type { Context } from '../../../../context'
import { presentProgress, type ProgressOut } from '../shapes/session'

/** Notifies apps of changes, with those of our events that they know. Nothing is written while no app is signed in. */
export function createNews(needs: NewsNeeds) {
  const users = createUserNews(needs)
  const items = createItemNews(needs)
  const downloads = createDownloadNews(needs)
  const playlists = createPlaylistNews(needs)
  const { episodes } = needs.app.store

  const fileChanged = ({ episodeId }: { episodeId: number }) => {
    const podcastId = episodes.find(episodeId)?.podcast_id
    if (podcastId !== undefined) items.changed(podcastId)
  }
  const listeners: Listeners = {
    progress: users.progressed,
    episodesMarked: ({ userId }) => users.changed(userId),
    episodeHidden: ({ userId }) => users.changed(userId),
    bookmarksChanged: ({ userId }) => users.changed(userId),
    addedPodcast: ({ podcastId }) => items.added(podcastId),
    podcastRenamed: ({ podcastId }) => items.changed(podcastId),
    podcastRemoved: items.removed,
    refreshedPodcast: ({ podcastId, added, updated }) => void (added + updated > 0 && items.changed(podcastId)),
    coverStored: ({ podcastId }) => items.changed(podcastId),
    textsStored: fileChanged,
    downloadFinished: fileChanged,
    fileRemoved: fileChanged,
    downloadProgress: downloads.progressed,
    playlistChanged: playlists.changed,
  }
  return {
    /** The same events, handled only while somebody would be notified. */
    listeners: whileAnybody(needs.peers, listeners),
    stop() {
      users.stop()
      items.stop()
      playlists.stop()
    },
  }
}

const whileAnybody = (peers: Peers, listeners: Listeners): Listeners =>
  Object.fromEntries(
    Object.entries(listeners).map(([type, listen]) => [
      type,
      (event: never) => (peers.size > 0 ? (listen as (event: never) => unknown)(event) : undefined),
    ]),
  )

type Changed = DomainEvents['playlistChanged']

/** The protocol's names. */
const events = { added: 'playlist_added', changed: 'playlist_updated', removed: 'playlist_removed' } as const

/** Notifies apps of a user of changes of the user's playlists: whole ones, and empty ones when they are gone. */
function createPlaylistNews({ app, peers, limits }: NewsNeeds) {
  const items = createItems(app)
  const waiting = new Map<string, Changed>()
  const delay = createDelay(limits.settleMs, logFailure(app.log, 'Apps could not be notified'), async () => {
    const settled = [...waiting.values()]
    waiting.clear()
    for (const changed of settled) await notify(changed)
  })

  async function notify({ userId, uuid, name, createdAt, change }: Changed) {
    const audience = signedInPeers(peers)
      .filter(peer => peer.access.user.id === userId)
      .map(peer => ({ peer, access: peer.access }))
    const user = audience[0]?.access.user
    const gone: PlaylistRow = {
      id: 0,
      uuid,
      user_id: userId,
      name,
      created_at: createdAt,
      rules: null,
      keep_downloaded: 0,
      description: null,
      played_at: null,
    }
    const row = change === 'removed' ? gone : app.store.playlists.findFor(userId, uuid)
    if (!user || !row) return
    const text = `2["${events[change]}",${await playlistJson(app, items, user, row)}]`
    if (!isSendable(text)) return
    for (const { peer, access } of audience) if (peer.access === access) sendMessage(peer.session, text)
  }

  return {
    changed(event: Changed) {
      const before = waiting.get(event.uuid)
      const isStillNew = before?.change === 'added' && event.change === 'changed'
      waiting.set(event.uuid, isStillNew ? { ...event, change: 'added' } : event)
      delay.ask()
    },
    stop: delay.stop,
  }
}

type Progress = DomainEvents['downloadProgress']
type Step = 'queued' | 'started' | 'finished'

const stepOf: Partial<Record<Progress['state'], Step>> = {
  queued: 'queued',
  running: 'started',
  done: 'finished',
  failed: 'finished',
  cancelled: 'finished',
}

/** The number of downloads that are remembered; with more, an app may get a step twice. */
const MAX_REMEMBERED = 10_000

/** Notifies apps of the steps of downloads, each once. */
function createDownloadNews({ app, peers }: Omit<NewsNeeds, 'limits'>) {
  const steps = new Map<string, Step>()

  function isNew({ id }: Progress, step: Step): boolean {
    if (steps.get(id) === step) return false
    if (step === 'finished') steps.delete(id)
    else steps.set(id, step)
    if (steps.size > MAX_REMEMBERED) steps.clear()
    return true
  }

  return {
    progressed(event: Progress) {
      const step = stepOf[event.state]
      if (!step || !isNew(event, step)) return
      const episode = app.store.episodes.findByEid(event.eid)
      if (!episode) return
      sendTo(
        signedInPeers(peers),
        user => String(user.explicit_consent),
        user => {
          const shown = shownTo(app, libraryIdOf(app), user, event.id, episode.id)
          return shown && eventMessage(`episode_download_${step}`, shown)
        },
      )
    },
  }
}

/** A download; null if the user may not see its episode. One that was cancelled has no row any more. */
function shownTo({ store, now }: NewsNeeds['app'], libraryId: string, user: UserRow, id: string, episodeId: number) {
  const [episode] = store.catalogue.episodes(user, [episodeId], false)
  const [podcast] = episode ? store.catalogue.podcasts(user, [episode.podcast_id]) : []
  if (!episode || !podcast) return null
  const gone = { uuid: id, state: 'queued', started_at: null, created_at: now(), finished_at: now() } as const
  return presentDownload({ row: store.downloads.findByUuid(id) ?? gone, episode, podcast, libraryId })
}

/** The number of episodes of one user that are sent one by one; if there are more, the whole user is sent. */
const MAX_SINGLE = 20

type Cause = { playSession: string; device: string }
/** By user: the episodes whose positions changed, and by what; null = too many to send one by one. */
type Changes = Map<number, Map<string, Cause> | null>

/** Notifies apps of a user of the position. */
function createUserNews({ app, peers, limits }: NewsNeeds) {
  let changes: Changes = new Map()

  const delay = createDelay(limits.settleMs, logFailure(app.log, 'Apps could not be notified'), async () => {
    const settled = changes
    changes = new Map()
    for (const [userId, episodes] of settled) notify(userId, episodes)
  })

  function notify(userId: number, episodes: Map<string, Cause> | null) {
    const own = signedInPeers(peers).filter(peer => peer.access.user.id === userId)
    if (own.length === 0) return
    const { user } = own[0]!.access
    const send = (name: string, value: object) => {
      const text = eventMessage(name, value)
      if (!isSendable(text)) return
      for (const { session } of own) sendMessage(session, text)
    }
    const positions = episodes && [...episodes].map(([eid, cause]) => ({ cause, found: progressOf(app, user, eid) }))
    // There is no event for a removed position.
    if (!positions || positions.some(({ found }) => found === 'none')) return send('user_updated', accountOf(app, user))
    for (const { cause, found } of positions)
      if (typeof found === 'object')
        send('user_item_progress_updated', {
          id: found.id,
          sessionId: cause.playSession,
          deviceDescription: cause.device,
          data: found,
        })
  }

  return {
    progressed({ userId, eid, device, playSession }: DomainEvents['progress']) {
      const episodes = changes.get(userId)
      if (episodes === undefined) changes.set(userId, new Map([[eid, { playSession, device }]]))
      else if (episodes && episodes.size >= MAX_SINGLE && !episodes.has(eid)) changes.set(userId, null)
      else episodes?.set(eid, { playSession, device })
      delay.ask()
    },
    /** Much of a user changed at once. */
    changed(userId: number) {
      changes.set(userId, null)
      delay.ask()
    },
    stop: delay.stop,
  }
}

/** A user's position in an episode; `none` if there is none any more, `hidden` if the user may not see the episode. */
function progressOf({ store }: Context, user: UserRow, eid: string): ProgressOut | 'none' | 'hidden' {
  const episode = store.episodes.findVisible(user, eid)
  if (!episode) return 'hidden'
  const row = store.playback.findProgress(user, episode.uuid)
  return row ? presentProgress(row, user.uuid) : 'none'
}
