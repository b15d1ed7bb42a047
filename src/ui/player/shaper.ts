import { createSilenceDetector } from './silence'

const LISTEN_MS = 20
// Beyond four times the speed browsers fall silent, and a silence would never end.
const HURRY_RATE = 4

type Elements = { audio: HTMLAudioElement; video: HTMLVideoElement }

/** Whether the sound may go through a graph of ours. Phones stop it when the screen goes dark. */
export const canShapeSound = () =>
  typeof AudioContext !== 'undefined' && !/android|iphone|ipad|ipod|mobile/i.test(navigator.userAgent)

/** The loudest that this device can play, in percent. */
export const maxVolume = () => (canShapeSound() ? 300 : 100)

/** Whether the volume is ours to set. iPhones leave it to their buttons, and forget what an element was told. */
export function canSetVolume(): boolean {
  const probe = new Audio()
  probe.volume = 0.5
  return probe.volume === 0.5
}

/**
 * Speed and loudness of the element that plays now: up to 100 percent by the element itself, louder by an amplifier. It
 * hurries through silence on request.
 */
export function createShaper(elements: Elements, current: () => HTMLMediaElement) {
  let graph: ReturnType<typeof createGraph> | null = null
  let rate = 1
  let percent = 100
  let skipsSilence = false
  let listening: ReturnType<typeof setInterval> | undefined

  /** Makes the graph as soon as something plays that needs it. */
  function begin() {
    const isNeeded = percent > 100 || skipsSilence
    if (graph || !isNeeded || current().paused || !canShapeSound()) return
    graph = createGraph(elements)
    amplify()
  }
  function amplify() {
    if (graph) graph.gain.gain.value = Math.max(1, percent / 100)
  }
  function play(at: number) {
    const media = current()
    if (media.playbackRate !== at) media.playbackRate = at
  }
  function hurry(isSilence: ReturnType<typeof createSilenceDetector>) {
    const media = current()
    if (!graph || media.paused) return
    // A low volume is quiet, and no silence.
    const isQuiet = media.volume > 0 && isSilence(graph.loudness() / media.volume, performance.now())
    play(isQuiet ? Math.max(rate, HURRY_RATE) : rate)
  }
  return {
    begin,
    /** Lets the element that plays from now on sound like the last one. */
    moveTo(next: HTMLMediaElement, last: HTMLMediaElement) {
      next.volume = last.volume
      next.muted = last.muted
      next.defaultPlaybackRate = rate
    },
    setRate(wanted: number) {
      rate = wanted
      current().defaultPlaybackRate = rate
      current().playbackRate = rate
    },
    setVolume(wanted: number) {
      percent = wanted
      begin()
      amplify()
      current().volume = Math.min(1, percent / 100)
      // Where the volume is the system's, an element can still be muted.
      current().muted = percent === 0
    },
    setSkipSilence(isOn: boolean) {
      skipsSilence = isOn
      clearInterval(listening)
      play(rate)
      if (!isOn) return
      begin()
      const isSilence = createSilenceDetector()
      listening = setInterval(() => hurry(isSilence), LISTEN_MS)
    },
  }
}

/** A graph of an analyser, which measures the loudness, and an amplifier. Works without https. */
function createGraph({ audio, video }: Elements) {
  const context = new AudioContext()
  const gain = context.createGain()
  const analyser = context.createAnalyser()
  analyser.fftSize = 1024
  const samples = new Float32Array(analyser.fftSize)
  for (const element of [audio, video]) context.createMediaElementSource(element).connect(analyser)
  analyser.connect(gain).connect(context.destination)
  // A context that began without a press waits for the first one.
  const wake = () => void context.resume()
  wake()
  for (const element of [audio, video]) element.addEventListener('play', wake)
  return {
    gain,
    /** The loudness at this moment: root mean square, 0 to 1. */
    loudness() {
      analyser.getFloatTimeDomainData(samples)
      return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
    },
  }
}
