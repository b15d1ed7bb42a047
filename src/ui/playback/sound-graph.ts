import { createLeveller, type Levelling } from './leveller'

const LISTEN_MS = 20
// Beyond four times the speed browsers fall silent, and a silence would never end.
const HURRY_RATE = 4

/** The element that plays now, and the rate that its listener wants. */
type Playing = { current: () => HTMLMediaElement; rate: () => number }

/** A graph of an analyser, which finds silence, and an amplifier. Works without https. */
export function createSoundGraph() {
  const context = new AudioContext()
  const gain = context.createGain()
  const analyser = context.createAnalyser()
  analyser.fftSize = 1024
  const samples = new Float32Array(analyser.fftSize)
  analyser.connect(gain).connect(context.destination)
  // A context that began without a press waits for the first one.
  const wake = () => void context.resume()
  wake()
  let listening: ReturnType<typeof setInterval> | undefined
  let leveller: ReturnType<typeof createLeveller> | undefined

  /** The loudness at this moment: root mean square, 0 to 1. */
  function loudness() {
    analyser.getFloatTimeDomainData(samples)
    return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
  }
  function hurry({ current, rate }: Playing, isSilence: ReturnType<typeof createSilenceDetector>) {
    const media = current()
    if (media.paused) return
    // A low volume is quiet, but not silence.
    const isQuiet = media.volume > 0 && isSilence(loudness() / media.volume, performance.now())
    playAt(media, isQuiet ? Math.max(rate(), HURRY_RATE) : rate())
  }
  return {
    /** Gives the graph the sound of an element. */
    add(element: HTMLMediaElement) {
      context.createMediaElementSource(element).connect(analyser)
      element.addEventListener('play', wake)
    },
    /** Makes the sound as loud as a volume in percent above 100. */
    amplify: (percent: number) => (gain.gain.value = Math.max(1, percent / 100)),
    /** Levels the loudness of what plays from now on; null = leaves it as it is. */
    level(wanted: Levelling | null, current: () => HTMLMediaElement) {
      if (wanted) leveller ??= createLeveller(context, { source: analyser, output: gain }, current)
      leveller?.(wanted)
    },
    /** Turns speeding through silence on or off. */
    skipSilence(isOn: boolean, playing: Playing) {
      clearInterval(listening)
      playAt(playing.current(), playing.rate())
      if (!isOn) return
      const isSilence = createSilenceDetector()
      listening = setInterval(() => hurry(playing, isSilence), LISTEN_MS)
    },
  }
}
export type SoundGraph = ReturnType<typeof createSoundGraph>

function playAt(media: HTMLMediaElement, rate: number) {
  if (media.playbackRate !== rate) media.playbackRate = rate
}

const QUIET = 0.008
const MOMENT_MS = 300

/**
 * Distinguishes silence from the pause between two words, by the loudness now (root mean square, 0 to 1): silence is
 * quieter than -42 dB for longer than a moment.
 */
export function createSilenceDetector() {
  let quietSince: number | null = null
  return (loudness: number, now: number): boolean => {
    if (loudness > QUIET) quietSince = null
    else quietSince ??= now
    return quietSince !== null && now - quietSince >= MOMENT_MS
  }
}
