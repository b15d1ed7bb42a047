import { computed, effect, signal } from '@preact/signals-core'
import { translate } from '../i18n'
import type { EpisodeWrapper } from '../../shared/api/episode'
import type { Playlist } from '../../shared/api/playlist'
import type { ContinueWith } from '../../shared/api/queue'
import type { Api } from '../api'
import type { Client } from '../api/client'
import type { EpisodeChanges } from '../state/episode-changes'
import type { createKept } from '../state/kept'
import type { LiveDownloads } from '../state/live-state'
import type { Library } from '../state/library'
import type { PendingProgress } from '../state/pending-progress'
import type { QueueState } from '../state/queue'
import type { SkipLengthsState } from '../state/preferences'
import type { Toasts } from '../state/toasts'
import { loadCode } from '../device/load-code'
import { createChapters } from './chapters'
import type { Continuation } from './continuation'
import { createMediaEngine } from './engine'
import { createPlayer, type Player } from './player'
import type { Needs as ExtrasNeeds, PlayerExtras } from './player-extras'

type Needs = {
  api: Pick<Api, 'playback' | 'podcasts' | 'episodes' | 'playlists' | 'skipMarks' | 'timeline'>
  client: Client
  changes: Pick<EpisodeChanges, 'listen'>
  skipLengths: Pick<SkipLengthsState, 'lengths'>
  kept: Pick<ReturnType<typeof createKept>, 'addressOf' | 'episodes' | 'ids' | 'recordProgress'>
  pendingProgress: Pick<PendingProgress, 'save' | 'find'>
  queue: Pick<QueueState, 'items' | 'find' | 'continueWith'>
  library: Pick<Library, 'byId'>
  downloads: Pick<LiveDownloads, 'byEpisode'>
  toasts: Pick<Toasts, 'failed' | 'done' | 'dismiss'>
  failed: (error: unknown) => void
  /** Whether the server can be reached. */
  isConnected: () => boolean
  /** Whether only what is on this device can be played. */
  isOffline: () => boolean
  /** Whether the server redirects to the bucket that has a file. */
  mayRedirect: boolean
  /** Distinguishes the tabs of this installation from those of another one on the same host. */
  prefix: string
}
export type Playback = ReturnType<typeof createPlayback>

/** The player of this page, with its media elements, queue and sleep timer. */
export function createPlayback(needs: Needs) {
  const { api, kept, pendingProgress, toasts } = needs
  const video = document.createElement('video')
  const player = createPlayer({
    createEngine: events => createMediaEngine({ audio: new Audio(), video }, events, needs),
    findHistory: api.playback.find,
    // `crypto.randomUUID` needs https.
    sender: crypto.getRandomValues(new Uint32Array(2)).join('-'),
    preferencesOf: api.podcasts.preferences,
    skipLengths: () => needs.skipLengths.lengths.value,
    savePreferences: api.podcasts.editPreferences,
    addressOf: async (eid, form) => (await extras.peek()?.remote.addressOf(eid)) ?? (form ? null : kept.addressOf(eid)),
    formFor: async (episode, preference) =>
      kept.ids.peek().has(episode.episode_id)
        ? null
        : (await import('./prefer-form')).preferForm(api.episodes, episode, preference),
    async save(progress, options) {
      kept.recordProgress(progress)
      await pendingProgress.save(progress, options)
    },
    onFailed(reason, wasActive = false) {
      if (reason === 'playback' && extras.peek()?.remote.recover({ wasActive })) return
      if (reason === 'playback' && extras.peek()?.gone.explain()) return
      toasts.failed(translate(`player-failed-${reason}`))
    },
    markedPartAt: seconds => extras.peek()?.skipMarks.toSkipAt(seconds),
    onSkipped: skipped => extras.peek()?.skipMarks.announce(skipped),
    onEnded({ live }) {
      if (live && !queue.next.peek()) return
      if (!extras.peek()?.sleepTimer.endsHere()) queue.playNext()
    },
    storage: localStorage,
    tab: sessionStorage,
  })
  const chapters = createChapters({ player, load: api.episodes.chapters })
  const queue = createUpcoming(needs, player)
  const extras = loadExtras(needs, { player, chapters, ...queue })
  needs.changes.listen({
    edit: player.edit,
    played: player.played,
    marked: player.marked,
    // For any podcast, after the connection was lost for a while.
    stale: podcastId => podcastId === null && extras.peek()?.missed(),
  })
  return {
    player,
    video,
    chapters,
    extras,
    ...queue,
    /** Forgets what this browser remembers when somebody signs out. */
    forget() {
      for (const key of [CHOICE, ORIGIN]) localStorage.removeItem(key)
    },
    /** Without the code for it the player begins empty, as on a first visit. */
    restore: () => import('./restore').then(code => code.restore(needs, player)).catch(() => undefined),
  }
}

/** The parts that a player needs once something is in it: marked parts, sleep timer, speakers; null until loaded. */
function loadExtras(
  needs: Needs,
  playing: Pick<ExtrasNeeds, 'player' | 'chapters' | 'next' | 'continuation' | 'playNext'>,
) {
  const extras = signal<PlayerExtras | null>(null)
  // Tried again with every episode until it succeeds: the server may be unreachable for a moment.
  effect(() => {
    if (playing.player.current.value === null || extras.peek()) return
    void loadCode(() => import('./player-extras')).then(({ createPlayerExtras }) => {
      if (!extras.peek()) extras.value = createPlayerExtras({ ...needs, ...playing })
    }, needs.failed)
  })
  return extras
}

const CHOICE = 'player.continue'
const ORIGIN = 'player.playlist'
const memory = {
  read: () => localStorage.getItem(ORIGIN),
  write: (text: string) => localStorage.setItem(ORIGIN, text),
}

/**
 * The queue without the episode that plays, which stays in the queue until it was played, and what follows the queue.
 */
function createUpcoming(needs: Needs, player: Player) {
  const { queue, library, failed } = needs
  const upcoming = computed(() =>
    queue.items.value.filter(({ podcastEpisode }) => podcastEpisode.id !== player.current.value?.episode.id),
  )
  /** The first of them, while something is in the player. */
  const next = computed(() => (player.current.value ? upcoming.value[0] : undefined))
  const play = (wrapper: EpisodeWrapper) =>
    player.play(wrapper, library.byId.value.get(wrapper.podcastEpisode.podcast_id)?.name ?? '')
  const isKept = ({ podcastEpisode }: EpisodeWrapper) => needs.kept.ids.value.has(podcastEpisode.episode_id)
  /** Null for those who want nothing after the queue: then it is not even loaded. */
  const continuation = signal<Continuation | null>(null)
  // A page that opens without the server uses the last choice.
  queue.continueWith.value = (localStorage.getItem(CHOICE) as ContinueWith | null) ?? 'nothing'
  /** Returns null if the code cannot be loaded: it may not be on this device, and then nothing follows. */
  async function load() {
    const code = await loadCode(() => import('./continuation')).catch(() => null)
    return (
      code &&
      (continuation.value ??= code.continueWith({
        ...needs,
        ...player,
        choice: queue.continueWith,
        isQueueEmpty: computed(() => upcoming.value.length === 0),
        isQueued: id => queue.find(id) !== undefined,
        kept: needs.kept.episodes,
        isSerial: id => library.byId.peek().get(id)?.serial ?? false,
        play,
        memory,
      }))
    )
  }
  effect(() => {
    // Read, so that loading is tried again with every episode until it succeeds.
    void player.current.value
    localStorage.setItem(CHOICE, queue.continueWith.value)
    if (queue.continueWith.value !== 'nothing' && !continuation.peek()) void load()
  })
  return {
    upcoming,
    next,
    continuation,
    /** Remembers that playing begins with an episode of a playlist, by its `id`. */
    beginIn({ id, name }: Pick<Playlist, 'id' | 'name'>, episode: string) {
      memory.write(JSON.stringify({ id, name, episode }))
      // Only the page of playlists shows it.
      void needs.api.playlists.played(id).catch(() => undefined)
    },
    /** Plays the next of the queue; after the last one, what its listener wants then. */
    playNext() {
      const place = needs.isOffline() ? upcoming.value.findIndex(isKept) : 0
      const skipped = place === -1 ? upcoming.value.length : place
      if (skipped > 0) needs.toasts.failed(translate('playlist-skipped', { count: skipped }))
      const following = upcoming.value[place]
      if (player.current.value && following) void play(following).catch(failed)
      else if (player.current.value && queue.continueWith.value !== 'nothing')
        void load()
          .then(found => found?.follow())
          .catch(failed)
    },
  }
}
