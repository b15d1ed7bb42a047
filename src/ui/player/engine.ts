import { createSilenceDetector } from './silence'

/** What plays. The player knows it only by this, so that its rules are tested without a browser. */
export type Engine = {
  load: (address: string, at: number, options: { isVideo: boolean }) => void
  play: () => Promise<void>
  pause: () => void
  seek: (seconds: number) => void
  setRate: (rate: number) => void
  /** Percent; above 100 the sound is amplified where the browser can. */
  setVolume: (percent: number) => void
  /** Hurries through silence, where the browser can. */
  setSkipSilence: (isOn: boolean) => void
  clear: () => void
}

export type EngineEvents = {
  onTime: (seconds: number) => void
  /** Null while unknown, as with a stream without a length. */
  onDuration: (seconds: number | null) => void
  onPlaying: () => void
  onPaused: () => void
  onWaiting: (isWaiting: boolean) => void
  onEnded: () => void
  /** `isNetwork`: it was there, and the connection broke. */
  onFailed: (isNetwork: boolean) => void
}

const LISTEN_MS = 20
// Beyond four times browsers fall silent, and what is silent would never end.
const HURRY_RATE = 4

/** Phones stop a graph of ours when the screen goes dark: there the sound goes its own way, neither louder nor shorter. */
export const canShapeSound = () =>
  typeof AudioContext !== 'undefined' && !/android|iphone|ipad|ipod|mobile/i.test(navigator.userAgent)

/** An `<audio>` and a `<video>` element, one of them at a time; behind both, once it is needed, an amplifier. */
export function createMediaEngine(
  elements: { audio: HTMLAudioElement; video: HTMLVideoElement },
  events: EngineEvents,
): Engine {
  let media: HTMLMediaElement = elements.audio
  let startAt = 0
  let rate = 1
  let percent = 100
  let skipsSilence = false
  let graph: ReturnType<typeof createGraph> | null = null
  let listening: ReturnType<typeof setInterval> | undefined

  for (const element of [elements.audio, elements.video]) {
    const on = (name: keyof HTMLMediaElementEventMap, handler: () => void) =>
      element.addEventListener(name, () => element === media && handler())
    element.preload = 'metadata'
    on('timeupdate', () => events.onTime(media.currentTime))
    on('durationchange', () => events.onDuration(Number.isFinite(media.duration) ? media.duration : null))
    on('loadedmetadata', () => {
      if (startAt > 0) media.currentTime = startAt
      startAt = 0
    })
    on('playing', () => {
      shape()
      events.onWaiting(false)
      events.onPlaying()
    })
    on('pause', () => {
      if (!media.ended) events.onPaused()
    })
    on('waiting', () => events.onWaiting(true))
    on('ended', events.onEnded)
    on('error', () => {
      if (media.getAttribute('src')) events.onFailed(media.error?.code === MediaError.MEDIA_ERR_NETWORK)
    })
  }

  /** Only once something plays: a graph that was made before anybody pressed a key stays silent. */
  function shape() {
    if (graph || media.paused || !canShapeSound() || !(percent > 100 || skipsSilence)) return
    graph = createGraph(elements)
    graph.gain.gain.value = Math.max(1, percent / 100)
  }
  function empty(element: HTMLMediaElement) {
    element.removeAttribute('src')
    element.load()
  }
  function applyRate(now: number) {
    if (media.playbackRate !== now) media.playbackRate = now
  }

  return {
    load(address, at, { isVideo }) {
      const next = isVideo ? elements.video : elements.audio
      if (next !== media) {
        const { volume } = media
        const last = media
        media = next
        media.volume = volume
        media.defaultPlaybackRate = rate
        empty(last)
      }
      startAt = at
      media.src = address
      media.load()
    },
    play: () => media.play(),
    pause: () => media.pause(),
    seek(seconds) {
      if (media.readyState === 0) startAt = seconds
      else media.currentTime = seconds
    },
    setRate(wanted) {
      rate = wanted
      media.defaultPlaybackRate = rate
      media.playbackRate = rate
    },
    setVolume(wanted) {
      percent = wanted
      shape()
      if (graph) graph.gain.gain.value = Math.max(1, percent / 100)
      media.volume = Math.min(1, percent / 100)
    },
    setSkipSilence(isOn) {
      skipsSilence = isOn
      clearInterval(listening)
      applyRate(rate)
      if (!isOn) return
      shape()
      const isSilence = createSilenceDetector()
      listening = setInterval(() => {
        if (!graph || media.paused) return
        // What is turned down is quiet, and no silence.
        const isQuiet = media.volume > 0 && isSilence(graph.loudness() / media.volume, performance.now())
        applyRate(isQuiet ? Math.max(rate, HURRY_RATE) : rate)
      }, LISTEN_MS)
    },
    clear: () => empty(media),
  }
}

/** What is heard goes through an analyser, which knows how loud it is, and an amplifier. Works without https. */
function createGraph({ audio, video }: { audio: HTMLAudioElement; video: HTMLVideoElement }) {
  const context = new AudioContext()
  const gain = context.createGain()
  const analyser = context.createAnalyser()
  analyser.fftSize = 1024
  const samples = new Float32Array(analyser.fftSize)
  for (const element of [audio, video]) context.createMediaElementSource(element).connect(analyser)
  analyser.connect(gain).connect(context.destination)
  // Begun without a press, it waits for the first one.
  const wake = () => void context.resume()
  wake()
  for (const element of [audio, video]) element.addEventListener('play', wake)
  return {
    gain,
    loudness() {
      analyser.getFloatTimeDomainData(samples)
      return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
    },
  }
}
