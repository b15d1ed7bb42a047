import { computed } from '@preact/signals-core'
import type { EpisodeWrapper } from '../../shared/api/episode'
import type { EpisodeForm } from '../../shared/api/playables'
import type { Preferences } from '../../shared/api/settings'
import type { ServerEvents } from '../../shared/server-event'
import {
  clear,
  continueAt,
  fetchTotal,
  isInOutro,
  lastEpisode,
  prefer,
  prepare,
  reconnect,
  recover,
  remember,
  show,
  showLive,
} from './loading'
import {
  catchUp,
  createPreferenceSaver,
  hear,
  saveEveryFewSeconds,
  saveOwnSound,
  savePosition,
  savePreference,
} from './saving'
import { createSound, createSwitch } from './sound'
import { type Core, createState, isLive, isRecovering, type Needs, noPreferences, type Playing } from './state'
import { chooseForm, end, finish, moveTo, pause, playOn, reload, resume, seek, skip, stop, toggle } from './transport'
import type { EngineEvents } from './engine'
import { createTimeSaved } from './time-saved'
import type { Part } from '../state/marked-parts'

export type Player = ReturnType<typeof createPlayer>

/**
 * The player: its episode and position, and when that is saved: on pause, seek and end, every fifteen seconds, and when
 * the page is closed. It resumes at the listener's position; a finished episode begins again. When the connection
 * breaks, it continues automatically once it is back.
 */
export function createPlayer(needs: Needs) {
  const core = createCore(needs)
  const { state, sound } = core
  const skipLengths = computed(core.needs.skipLengths)
  const showsRemaining = createSwitch(needs.storage, 'player.remaining', 'on')
  const loadsAhead = createSwitch(needs.storage, 'player.ahead', 'on')
  const isCurrent = (wrapper: EpisodeWrapper) =>
    state.current.value?.episode.episode_id === wrapper.podcastEpisode.episode_id
  const showOnce = async (wrapper: EpisodeWrapper, podcastName: string) =>
    isCurrent(wrapper) || show(core, wrapper, podcastName)

  /** Saves what a change of the sound changed for the podcast that plays. */
  const keeping =
    <T extends unknown[]>(change: (...values: T) => void) =>
    (...values: T) => {
      change(...values)
      saveOwnSound(core)
    }

  return {
    current: state.current,
    isPlaying: state.isPlaying,
    isWaiting: state.isWaiting,
    position: state.position,
    seeks: state.seeks,
    buffered: state.buffered,
    duration: state.duration,
    percentage: state.percentage,
    rate: sound.rate,
    /** Seconds of this episode that speed and trimmed silence saved. */
    timeSaved: core.timeSaved.total,
    volume: sound.volume,
    usualRate: sound.usualRate,
    usualVolume: sound.usualVolume,
    setUsualRate: sound.setUsualRate,
    setUsualVolume: sound.setUsualVolume,
    usualSilence: sound.usualSilence,
    toggleUsualSilence: sound.toggleUsualSilence,
    isMuted: sound.isMuted,
    skipsSilence: sound.skipsSilence,
    cycleRate: keeping(sound.cycleRate),
    setRate: keeping(sound.setRate),
    /** Plays this podcast at a rate from now on. */
    chooseRate: keeping(sound.chooseRate),
    /** Plays every podcast without its own rate at the current rate, including this one. */
    keepRate: keeping(sound.keepRate),
    /** Whether speed and trimmed silence are those of this podcast alone. */
    isOwnSound: computed(() => sound.own.value.speed !== null || sound.own.value.skipSilence !== null),
    /** Keeps the current sound for this podcast, or returns to the usual one. */
    setOwnSound: keeping(sound.setOwn),
    /** Whether marked parts of the podcast that plays are skipped. */
    skipsMarked: state.skipsMarked,
    /** Skips marked parts of this podcast from now on, or plays them. */
    setSkipsMarked(isOn: boolean) {
      state.skipsMarked.value = isOn
      savePreference(core, { skipMarked: isOn })
    },
    setVolume: keeping(sound.setVolume),
    toggleMute: sound.toggleMute,
    toggleSkipSilence: keeping(sound.toggleSkipSilence),
    fade: sound.fade,
    level: core.engine.setLevelling,
    /** Whether the time left is shown in place of the length. */
    showsRemaining: showsRemaining.isOn,
    toggleRemaining: showsRemaining.toggle,
    /** Whether what plays next is fetched before the current episode ends. */
    loadsAhead: loadsAhead.isOn,
    toggleLoadsAhead: loadsAhead.toggle,

    show: (wrapper: EpisodeWrapper, podcastName: string) => show(core, wrapper, podcastName),
    async play(wrapper: EpisodeWrapper, podcastName: string) {
      if (await showOnce(wrapper, podcastName)) await resume(core)
    },
    /** Plays from a moment on: a chapter, or a line of a transcript. */
    async playAt(wrapper: EpisodeWrapper, podcastName: string, seconds: number) {
      if (!(await showOnce(wrapper, podcastName))) return
      seek(core, seconds)
      await resume(core)
    },
    /** Makes ready what plays next; `mayFetch`: whether its sound may be fetched early. */
    prepare: (wrapper: EpisodeWrapper, mayFetch: boolean) => prepare(core, wrapper, mayFetch),
    resume: () => resume(core),
    pause: () => pause(core),
    toggle: () => toggle(core),
    seek: (seconds: number) => seek(core, seconds),
    continueAt: (seconds: number) => continueAt(core, seconds),
    skip: (seconds: number) => skip(core, seconds),
    skipLengths,
    skipForward: () => skip(core, skipLengths.value.forward),
    skipBack: () => skip(core, -skipLengths.value.back),
    /** Continues on the element of a speaker or television; null: on this device again, paused. */
    playOn: (element: HTMLMediaElement | null) => playOn(core, element),
    async playLive(playing: Playing) {
      if (state.current.value?.episode.id !== playing.episode.id) showLive(core, playing)
      await resume(core)
    },
    /** Plays an episode in one of its forms. */
    async playForm(wrapper: EpisodeWrapper, podcastName: string, form: EpisodeForm) {
      if (!(await showOnce(wrapper, podcastName))) return
      chooseForm(core, form)
      await resume(core)
    },
    /** Continues with another form of the episode, at the same second; null: the main one. */
    chooseForm: (form: EpisodeForm | null) => chooseForm(core, form),
    /** Loads the episode again from where it is. */
    reload: () => reload(core),
    /** Tries to continue at once, because the connection is back. */
    reconnect: () => reconnect(core),
    /** Follows changes of the episode that is loaded, but for its position: `played` and `marked` report that. */
    edit(change: (wrapper: EpisodeWrapper) => EpisodeWrapper) {
      const playing = state.current.value
      if (!playing) return
      const { podcastEpisode: episode } = change({ podcastEpisode: playing.episode, podcastHistoryItem: null })
      if (episode !== playing.episode) state.current.value = { ...playing, episode }
    },
    /** Follows what was played or marked elsewhere. Reports of this player return to it, and are known. */
    played(progress: ServerEvents['progress']) {
      if (core.ahead?.eid === progress.episode_id) core.ahead = null
      const isShown = state.current.value?.episode.episode_id === progress.episode_id
      if (isShown && progress.sender !== core.needs.sender) hear(core, progress)
    },
    /** Follows a marking of many episodes, by their `episode_id`. */
    marked(eids: readonly string[]) {
      core.ahead = null
      const eid = state.current.value?.episode.episode_id
      if (eid !== undefined && eids.includes(eid)) void catchUp(core)
    },
    catchUp: () => catchUp(core),
    /** Follows preferences that were saved elsewhere. */
    preferred(podcastId: string, preferences: Preferences) {
      core.ahead = null
      if (state.preferredFor === podcastId) prefer(core, podcastId, preferences)
    },
    /** Saves the position before the page is closed; a paused one is already saved, and may be older than others. */
    leave() {
      if (state.isPlaying.value || state.isWaiting.value) savePosition(core, { leaving: true })
    },
    lastEpisode: () => lastEpisode(needs),
    clear: () => clear(core),
  }
}

/** Puts the parts together. The engine reports to the core, of which it is a part, so it is added last. */
function createCore(needs: Needs): Core {
  const core = {
    state: createState(),
    needs: {
      preferencesOf: async () => noPreferences,
      savePreferences: async () => undefined,
      sender: '',
      skipLengths: () => ({ back: 30, forward: 30 }),
      addressOf: async () => null,
      formFor: async () => null,
      markedPartAt: () => undefined,
      onSkipped: () => undefined,
      onEnded: () => undefined,
      now: Date.now,
      later: (work: () => void, ms: number) => setTimeout(work, ms),
      ...needs,
    },
  } as Core
  core.engine = needs.createEngine(engineEvents(core))
  core.sound = createSound(core.engine, needs.storage)
  core.ahead = null
  core.timeSaved = createTimeSaved(core.needs.now)
  core.keepPreferences = createPreferenceSaver(core.needs)
  return core
}

const noteHeard = ({ timeSaved, sound }: Core, seconds: number) =>
  timeSaved.note(seconds, sound.rate.peek(), sound.skipsSilence.peek())

/** Reactions of the player to its engine. `core` is complete by the first event. */
function engineEvents(core: Core): EngineEvents {
  const { state, needs } = core
  return {
    onTime(seconds) {
      if (!state.isLoaded || isRecovering(state) || state.hasFinished) return
      state.position.value = seconds
      if (state.isPlaying.value && !isLive(state)) noteHeard(core, seconds)
      if (seconds >= (state.unreached ?? 0)) {
        state.unreached = null
        state.soughtFrom = null
      }
      if (isInOutro(state, seconds)) finish(core)
      else if (!skipMarked(core, seconds)) saveEveryFewSeconds(core)
    },
    onBuffered: seconds => (state.buffered.value = seconds),
    onDuration(seconds) {
      state.mediaDuration.value = isLive(state) ? null : seconds
      if (seconds === null && state.current.value) void fetchTotal(core, state.current.value.episode.episode_id)
    },
    onPlaying() {
      state.isPlaying.value = true
      state.retries = 0
      // Another tab may have played something else since this was shown.
      remember(core)
    },
    onPaused() {
      core.timeSaved.interrupt()
      stop(core)
    },
    onWaiting: isWaiting => (state.isWaiting.value = isWaiting),
    onEnded: () => end(core),
    onSeekSlow: () => needs.onFailed('seeking'),
    onSeekRefused(seconds) {
      const place = state.soughtFrom ?? state.unreached ?? state.position.value
      state.canSeek = false
      state.unreached = null
      state.position.value = place
      const isChosen = state.soughtFrom !== null
      // In place of the second that was asked for in vain.
      if (isChosen) savePosition(core)
      state.unreached = place
      state.soughtFrom = null
      state.position.value = seconds
      // Without a little rewind after a pause, nobody misses anything.
      if (isChosen || seconds < place) needs.onFailed('seeking')
    },
    onFailed(isNetwork) {
      const wasRunning = state.isPlaying.value || isRecovering(state)
      const wasActive = wasRunning || state.isWaiting.value
      // Recovery may continue from another second.
      if (state.isPlaying.value) savePosition(core)
      state.isPlaying.value = false
      if (wasRunning && (isNetwork || isRecovering(state)) && recover(core)) return
      state.retries = 0
      state.isWaiting.value = false
      state.isLoaded = false
      needs.onFailed('playback', wasActive)
    },
  }
}

// Between two reports of the element, at three times the speed and in a tab in the background.
const OVERSHOOT_SECONDS = 5

/**
 * Skips the marked part that begins to play, if its listener wants that. A part that was chosen by hand is played.
 * Returns whether it skipped one.
 */
function skipMarked(core: Core, seconds: number): boolean {
  const { state, needs } = core
  const playing = state.current.value
  // A sleep timer may have paused it at exactly this second.
  if (!playing || !state.skipsMarked.value || !state.isPlaying.value || !state.canSeek) return false
  const part = needs.markedPartAt(seconds)
  if (!part || isChosen(part, state.soughtTo)) return false
  const isLast = state.duration.value > 0 && part.end >= state.duration.value
  // If it began in the middle of the part, undo returns there.
  const at = seconds - part.start < OVERSHOOT_SECONDS ? part.start : seconds
  needs.onSkipped({ part, at, playing })
  if (isLast) finish(core)
  else moveTo(core, part.end)
  return true
}

const isChosen = ({ start, end }: Part, second: number | null) => second !== null && start <= second && second < end
