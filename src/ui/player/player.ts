import { computed, signal } from '@preact/signals-core'
import type { Episode, EpisodeWrapper } from '../../shared/api/episode'
import type { EpisodeHistory, Progress } from '../../shared/api/history'
import type { Preferences } from '../../shared/api/settings'
import { nextPlaybackRate } from '../../shared/playback-rates'
import type { Engine, EngineEvents } from './engine'

export const SKIP_SECONDS = 30
const SAVE_EVERY_MS = 15_000
const MAX_VOLUME = 300
/** After the connection broke: when to ask again. */
const RETRY_MS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000]

const asUsual: Preferences = { speed: null, boost: null, skipIntro: 0, skipOutro: 0 }

/** Whether there is a picture to it. */
export const isVideo = (episode: Episode) => episode.mime_type?.startsWith('video/') ?? false

export type Playing = { episode: Episode; podcastName: string; podcastId: string }
export type Player = ReturnType<typeof createPlayer>

type Needs = {
  createEngine: (events: EngineEvents) => Engine
  findHistory: (eid: string) => Promise<EpisodeHistory>
  /** How the listener wants to hear a podcast. */
  preferencesOf?: (podcastId: string) => Promise<Preferences>
  save: (progress: Progress, options: { leaving: boolean }) => Promise<unknown>
  onFailed: (reason: 'playback' | 'autoplay') => void
  /** An episode on this device, by an address of this page's own; null = it is the server's. */
  addressOf?: (eid: string) => Promise<string | null>
  /** It was heard to its end. */
  onEnded?: (episode: Playing) => void
  /** Where rate, volume and the last episode are remembered. */
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  now?: () => number
  later?: (work: () => void, ms: number) => unknown
}

/**
 * What plays, where it is, and when that is saved: on pause, seek and end, every fifteen seconds, and when the page goes
 * away. It resumes where the user was; a finished episode begins again. Where the connection breaks it goes on by itself
 * once it is back.
 */
export function createPlayer({
  createEngine,
  findHistory,
  preferencesOf = async () => asUsual,
  addressOf = async () => null,
  save,
  onFailed,
  onEnded,
  storage,
  now = Date.now,
  later = setTimeout,
}: Needs) {
  const current = signal<Playing | null>(null)
  const isPlaying = signal(false)
  const isWaiting = signal(false)
  const position = signal(0)
  const audioDuration = signal<number | null>(null)
  const knownTotal = signal(0)
  const rate = signal(readNumber('player.rate', 1))
  const volume = signal(readNumber('player.volume', 100))
  const isMuted = signal(false)
  const showsRemaining = signal(storage.getItem('player.remaining') === 'on')
  const skipsSilence = signal(storage.getItem('player.skip-silence') === 'on')
  let loudness = 1

  /** Seconds; 0 = unknown. */
  const duration = computed(() => audioDuration.value ?? (knownTotal.value || current.value?.episode.total_time || 0))
  const percentage = computed(() => (duration.value > 0 ? Math.min(100, (100 * position.value) / duration.value) : 0))

  let isLoaded = false
  let savedAt = 0
  let turn = 0
  let preferences = asUsual
  let retries = 0
  let attempt = 0
  let ownAddress: string | null = null
  /** From its end until it goes on somewhere: what the element still tells of is over. */
  let hasFinished = false

  const engine = createEngine({
    onTime(seconds) {
      if (!isLoaded || isRecovering() || hasFinished) return
      position.value = seconds
      if (isOutro(seconds)) return finish()
      if (isPlaying.value && now() - savedAt >= SAVE_EVERY_MS) savePosition()
    },
    onDuration(seconds) {
      audioDuration.value = seconds
      if (seconds === null && current.value) void askForTotal(current.value.episode.episode_id)
    },
    onPlaying() {
      isPlaying.value = true
      retries = 0
    },
    onPaused() {
      if (!isRecovering()) stopped()
    },
    onWaiting: waiting => (isWaiting.value = waiting),
    onEnded: finish,
    onFailed(isNetwork) {
      const wasRunning = isPlaying.value || isRecovering()
      isPlaying.value = false
      if (wasRunning && (isNetwork || isRecovering()) && retries < RETRY_MS.length) return recover()
      retries = 0
      isWaiting.value = false
      isLoaded = false
      onFailed('playback')
    },
  })
  engine.setRate(rate.value)
  engine.setVolume(volume.value)
  engine.setSkipSilence(skipsSilence.value)

  /** The connection broke, and comes back at its own time. */
  const isRecovering = () => retries > 0
  function recover() {
    isWaiting.value = true
    const mine = ++attempt
    later(() => {
      // Paused, or something else plays by now.
      if (mine === attempt) void retry()
    }, RETRY_MS[retries++]!)
  }
  function giveUp() {
    retries = 0
    attempt++
  }
  async function retry() {
    if (await load()) await engine.play().catch(() => undefined)
  }
  /** False when it was paused, or something else was chosen, before it was known where the sound is. */
  async function load(): Promise<boolean> {
    const { episode } = current.value!
    const mine = ++attempt
    const address = (await addressOf(episode.episode_id).catch(() => null)) ?? episode.local_url
    if (mine !== attempt || !isWaiting.value) {
      if (address !== episode.local_url) URL.revokeObjectURL(address)
      return false
    }
    if (ownAddress) URL.revokeObjectURL(ownAddress)
    ownAddress = address === episode.local_url ? null : address
    isLoaded = true
    engine.load(address, position.value, { isVideo: isVideo(episode) })
    engine.setRate(rate.value)
    return true
  }

  /** What comes last in every episode, where its listener wants to be spared it. */
  const isOutro = (seconds: number) =>
    isPlaying.value &&
    preferences.skipOutro > 0 &&
    duration.value > preferences.skipIntro + preferences.skipOutro &&
    seconds >= duration.value - preferences.skipOutro

  function finish() {
    const isAudible = isPlaying.value && position.value < duration.value
    isPlaying.value = false
    position.value = duration.value
    hasFinished = true
    if (isAudible) engine.pause()
    savePosition()
    if (current.value) onEnded?.(current.value)
  }

  /** Rate and volume of a podcast's own, else the usual ones. */
  function apply(wishes: Preferences) {
    preferences = wishes
    rate.value = wishes.speed ?? readNumber('player.rate', 1)
    volume.value = wishes.boost ?? readNumber('player.volume', 100)
    engine.setRate(rate.value)
    applyVolume()
  }

  const applyVolume = () => engine.setVolume(isMuted.value ? 0 : volume.value * loudness)

  function readNumber(key: string, fallback: number): number {
    const value = Number(storage.getItem(key) ?? fallback)
    return Number.isFinite(value) ? value : fallback
  }

  function savePosition({ leaving = false } = {}) {
    const playing = current.value
    if (!playing) return
    savedAt = now()
    const progress: Progress = {
      podcastEpisodeId: playing.episode.episode_id,
      time: Math.floor(position.value),
      ...(duration.value > 0 && { total: Math.floor(duration.value) }),
      timestamp: new Date(savedAt).toISOString(),
    }
    // A position that could not be saved now is saved with the next one.
    save(progress, { leaving }).catch(() => undefined)
  }

  async function askForTotal(eid: string) {
    const history = await findHistory(eid).catch(() => null)
    if (current.value?.episode.episode_id === eid && history?.total) knownTotal.value = history.total
  }

  /** Where to begin: a finished episode from its start, one without history as the server says. */
  async function startingPosition({ podcastEpisode, podcastHistoryItem }: EpisodeWrapper): Promise<number> {
    const history = podcastHistoryItem ?? (await findHistory(podcastEpisode.episode_id).catch(() => null))
    if (!history || history.finished) return 0
    if (history.total) knownTotal.value = history.total
    return history.position ?? 0
  }

  async function show(wrapper: EpisodeWrapper, podcastName: string) {
    const mine = ++turn
    if (isPlaying.value) {
      isPlaying.value = false
      savePosition()
      engine.pause()
    }
    isLoaded = false
    hasFinished = false
    giveUp()
    audioDuration.value = null
    knownTotal.value = 0
    position.value = wrapper.podcastHistoryItem?.finished ? 0 : (wrapper.podcastHistoryItem?.position ?? 0)
    current.value = { episode: wrapper.podcastEpisode, podcastName, podcastId: wrapper.podcastEpisode.podcast_id }
    storage.setItem('player.episode', wrapper.podcastEpisode.episode_id)
    const [start, wishes] = await Promise.all([
      startingPosition(wrapper),
      preferencesOf(wrapper.podcastEpisode.podcast_id).catch(() => asUsual),
    ])
    if (mine !== turn) return false
    apply(wishes)
    const isShort = duration.value > 0 && wishes.skipIntro >= duration.value
    position.value = start > 0 || isShort ? start : wishes.skipIntro
    return true
  }

  async function resume() {
    if (!current.value) return
    hasFinished = false
    isWaiting.value = true
    if (!isLoaded) {
      if (duration.value > 0 && position.value >= duration.value) position.value = 0
      if (!(await load())) return
    } else if (duration.value > 0 && position.value >= duration.value) engine.seek(0)
    await engine.play().catch((error: unknown) => {
      isWaiting.value = false
      isPlaying.value = false
      if (error instanceof DOMException && error.name === 'NotAllowedError') onFailed('autoplay')
    })
  }

  /** Also while the first bytes are waited for, or a connection. */
  function pause() {
    isWaiting.value = false
    if (isRecovering()) isLoaded = false
    giveUp()
    // At once: the element tells of it a moment later, and a key may have been pressed again by then.
    stopped()
    engine.pause()
  }
  function stopped() {
    if (!isPlaying.value) return
    isPlaying.value = false
    savePosition()
  }

  function seek(seconds: number) {
    if (!current.value) return
    hasFinished = false
    position.value = Math.min(Math.max(0, seconds), duration.value || seconds)
    if (isLoaded) engine.seek(position.value)
    savePosition()
  }

  function skip(seconds: number) {
    const playing = current.value
    if (!playing) return
    void askForTotal(playing.episode.episode_id)
    const target = position.value + seconds
    const isEnd = seconds > 0 && duration.value > 0 && target >= duration.value
    if (!isEnd) return seek(target)
    // What has ended already does not end again.
    if (hasFinished) return
    if (isWaiting.value) pause()
    finish()
  }

  return {
    current,
    isPlaying,
    isWaiting,
    position,
    duration,
    percentage,
    rate,
    volume,
    isMuted,
    resume,
    seek,
    async play(wrapper: EpisodeWrapper, podcastName: string) {
      if (current.value?.episode.episode_id === wrapper.podcastEpisode.episode_id) return resume()
      if (await show(wrapper, podcastName)) await resume()
    },
    /** From a moment on: a chapter, or something that was said. */
    async playAt(wrapper: EpisodeWrapper, podcastName: string, seconds: number) {
      const isCurrent = current.value?.episode.episode_id === wrapper.podcastEpisode.episode_id
      if (!isCurrent && !(await show(wrapper, podcastName))) return
      seek(seconds)
      await resume()
    },
    /** Puts an episode into the bar without a sound: after a reload. */
    show,
    pause,
    toggle() {
      if (isPlaying.value || isWaiting.value) pause()
      else void resume()
    },
    /** Seconds, back where negative; forward to the end at most, and then on to what is next. */
    skip,
    skipForward: () => skip(SKIP_SECONDS),
    skipBack: () => skip(-SKIP_SECONDS),
    cycleRate() {
      rate.value = nextPlaybackRate(rate.value)
      if (preferences.speed === null) storage.setItem('player.rate', String(rate.value))
      engine.setRate(rate.value)
    },
    setVolume(percent: number) {
      volume.value = Math.min(MAX_VOLUME, Math.max(0, Math.round(percent)))
      isMuted.value = false
      if (preferences.boost === null) storage.setItem('player.volume', String(volume.value))
      applyVolume()
    },
    /** Whether what is left is shown, in place of how long it is. */
    showsRemaining,
    toggleRemaining() {
      showsRemaining.value = !showsRemaining.value
      storage.setItem('player.remaining', showsRemaining.value ? 'on' : 'off')
    },
    /** Hurries through silence, where the browser can. */
    skipsSilence,
    toggleSkipSilence() {
      skipsSilence.value = !skipsSilence.value
      storage.setItem('player.skip-silence', skipsSilence.value ? 'on' : 'off')
      engine.setSkipSilence(skipsSilence.value)
    },
    /** The connection is back: no need to wait any longer. */
    goOn() {
      if (isRecovering() && isWaiting.value) void retry()
    },
    toggleMute() {
      isMuted.value = !isMuted.value
      applyVolume()
    },
    /** 0 to 1: how much of the volume is heard, as long as something fades. */
    fade(share: number) {
      if (share === loudness) return
      loudness = share
      applyVolume()
    },
    /** The page is about to go away. */
    leave() {
      if (current.value && isLoaded) savePosition({ leaving: true })
    },
    lastEpisode: () => storage.getItem('player.episode'),
    /** Takes what plays out of the bar, saving nothing. */
    clear() {
      turn++
      giveUp()
      isLoaded = false
      isPlaying.value = false
      isWaiting.value = false
      current.value = null
      storage.removeItem('player.episode')
      engine.clear()
    },
  }
}
