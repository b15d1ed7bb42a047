import type { MeasuredLoudness } from '../../shared/api/history'
import { BLOCK_SECONDS, createMeter, kWeighting, levelOf, meanSquare } from './loudness'

/** The levelling of one episode. `known`: the loudness that was measured before; null = none. */
export type Levelling = {
  known: MeasuredLoudness | null
  /** Keeps a new measure. */
  keep: (measured: MeasuredLoudness) => void
}

/** The time constant of a change of the gain while somebody listens, in seconds. */
const GLIDE_SECONDS = 2
/** The most that an analyser holds. */
const MAX_SAMPLES = 32_768
const LIMIT_DB = -3
const RATIO = 20

/**
 * Measures the sound of `source` and levels that of `output`. `current`: the element that plays, whose
 * own volume does not count.
 */
export function createLeveller(
  context: AudioContext,
  { source, output }: { source: AudioNode; output: AudioNode },
  current: () => HTMLMediaElement,
) {
  const level = context.createGain()
  const limiter = createLimiter(context)
  level.connect(limiter.input)
  limiter.output.connect(context.destination)
  const ear = createEar(context)
  let active: Levelling | null = null
  let listening: ReturnType<typeof setInterval> | undefined

  function turn(isOn: boolean) {
    output.disconnect()
    output.connect(isOn ? level : context.destination)
    if (isOn) source.connect(ear.input)
    else source.disconnect(ear.input)
  }
  function follow({ known, keep }: Levelling) {
    level.gain.cancelScheduledValues(0)
    level.gain.value = known ? levelOf(known.lufs) : 1
    const meter = createMeter(known)
    let [next, volume] = [2 * (known?.seconds ?? 0), 0]
    return () => {
      const media = current()
      const before = volume
      volume = media.paused || media.muted || context.state !== 'running' ? 0 : media.volume
      // The block began with another volume, or before the sound did.
      if (volume === 0 || volume !== before) return
      meter.add(ear.power() / (volume * volume))
      const measured = meter.read()
      if (!measured || measured.seconds < next) return
      next = 2 * measured.seconds
      level.gain.setTargetAtTime(levelOf(measured.lufs), context.currentTime, GLIDE_SECONDS)
      keep(measured)
    }
  }
  /** Levels an episode from now on, at once by what is known of it; null = none. */
  return (wanted: Levelling | null) => {
    if (wanted === active) return
    if (!wanted || !active) turn(wanted !== null)
    active = wanted
    clearInterval(listening)
    if (wanted) listening = setInterval(follow(wanted), BLOCK_SECONDS * 1000)
  }
}

/** Measures both channels; one alone counts twice, because both speakers play it. */
function createEar(context: BaseAudioContext) {
  const [shelf, highPass] = kWeighting(context.sampleRate).map(({ feedforward, feedback }) =>
    context.createIIRFilter(feedforward, feedback),
  )
  shelf!.channelCount = 2
  shelf!.channelCountMode = 'explicit'
  const splitter = context.createChannelSplitter(2)
  shelf!.connect(highPass!).connect(splitter)
  const channels = [0, 1].map(channel => {
    const analyser = context.createAnalyser()
    analyser.fftSize = MAX_SAMPLES
    splitter.connect(analyser, channel)
    return analyser
  })
  const samples = new Float32Array(MAX_SAMPLES)
  const block = samples.subarray(-Math.round(BLOCK_SECONDS * context.sampleRate))
  return {
    input: shelf!,
    /** The power of the latest block. */
    power: () =>
      channels.reduce((sum, channel) => {
        channel.getFloatTimeDomainData(samples)
        return sum + meanSquare(block)
      }, 0),
  }
}

/** Keeps peaks below the limit, beyond which they would be cut off, and leaves everything else as it is. */
export function createLimiter(context: BaseAudioContext): { input: AudioNode; output: AudioNode } {
  const compressor = context.createDynamicsCompressor()
  compressor.threshold.value = LIMIT_DB
  compressor.knee.value = 0
  compressor.ratio.value = RATIO
  compressor.attack.value = 0.001
  compressor.release.value = 0.1
  // Browsers make what a compressor passes louder, by 0.6 of what it takes from the loudest sound.
  const back = context.createGain()
  back.gain.value = 10 ** ((0.6 * LIMIT_DB * (1 - 1 / RATIO)) / 20)
  compressor.connect(back)
  return { input: compressor, output: back }
}
