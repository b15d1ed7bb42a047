import type { EpisodeWrapper } from '../../shared/api/episode'
import { reconnect } from './connection'
import { engineEvents } from './events'
import { savePosition } from './progress'
import { clear, LAST_EPISODE, show } from './show'
import { createSound, createSwitch } from './sound'
import { createState, noPreferences, type Core, type Needs } from './state'
import { pause, resume, seek, skip, SKIP_SECONDS, toggle } from './transport'

export type Player = ReturnType<typeof createPlayer>

/**
 * The player: its episode and position, and when that is saved: on pause, seek and end, every fifteen seconds, and when
 * the page goes away. It resumes at the listener's position; a finished episode begins again. When the connection
 * breaks, it continues by itself once it is back.
 */
export function createPlayer(needs: Needs) {
  const core = createCore(needs)
  const { state, sound } = core
  const showsRemaining = createSwitch(needs.storage, 'player.remaining')
  const isCurrent = (wrapper: EpisodeWrapper) =>
    state.current.value?.episode.episode_id === wrapper.podcastEpisode.episode_id
  const showOnce = async (wrapper: EpisodeWrapper, podcastName: string) =>
    isCurrent(wrapper) || show(core, wrapper, podcastName)

  return {
    current: state.current,
    isPlaying: state.isPlaying,
    isWaiting: state.isWaiting,
    position: state.position,
    duration: state.duration,
    percentage: state.percentage,
    rate: sound.rate,
    volume: sound.volume,
    isMuted: sound.isMuted,
    skipsSilence: sound.skipsSilence,
    cycleRate: sound.cycleRate,
    setVolume: sound.setVolume,
    toggleMute: sound.toggleMute,
    toggleSkipSilence: sound.toggleSkipSilence,
    fade: sound.fade,
    /** Whether the time left is shown in place of the length. */
    showsRemaining: showsRemaining.isOn,
    toggleRemaining: showsRemaining.toggle,

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
    resume: () => resume(core),
    pause: () => pause(core),
    toggle: () => toggle(core),
    seek: (seconds: number) => seek(core, seconds),
    skip: (seconds: number) => skip(core, seconds),
    skipForward: () => skip(core, SKIP_SECONDS),
    skipBack: () => skip(core, -SKIP_SECONDS),
    /** Tries at once to continue, as the connection is back. */
    reconnect: () => reconnect(core),
    /** Saves the position before the page goes away. */
    leave() {
      if (state.current.value && state.isLoaded) savePosition(core, { leaving: true })
    },
    lastEpisode: () => needs.storage.getItem(LAST_EPISODE),
    clear: () => clear(core),
  }
}

/** Puts the parts together. The engine reports to the core that it is itself a part of, so it is added last. */
function createCore(needs: Needs): Core {
  const core = {
    state: createState(),
    needs: {
      preferencesOf: async () => noPreferences,
      addressOf: async () => null,
      onEnded: () => undefined,
      now: Date.now,
      later: (work: () => void, ms: number) => setTimeout(work, ms),
      ...needs,
    },
  } as Core
  core.engine = needs.createEngine(engineEvents(core))
  core.sound = createSound(core.engine, needs.storage)
  return core
}
