import type { MeasuredLoudness } from '../../shared/api/history'

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

// Loudness as ITU-R BS.1770 and EBU R 128 define it. The browser measures: the server has no decoder.

const TARGET_LUFS = -16
const MAX_GAIN_DB = 12
/** Seconds of a momentary block. */
export const BLOCK_SECONDS = 0.4
/** A shorter passage may be a jingle. */
const MIN_SECONDS = 30
const ABSOLUTE_GATE = -70
const RELATIVE_GATE = -10
const LOUDEST = 5
const BINS_PER_UNIT = 10

/** The coefficients of a filter of second order, as `createIIRFilter` takes them. */
type Filter = { feedforward: number[]; feedback: number[] }

/** The two filters of K-weighting at a sample rate: a shelf for the head, and a high pass for the ear. */
export function kWeighting(sampleRate: number): [Filter, Filter] {
  const shelf = Math.tan((Math.PI * 1681.974450955533) / sampleRate)
  const [gain, middle] = [10 ** (3.999843853973347 / 20), 10 ** ((3.999843853973347 * 0.4996667741545416) / 20)]
  const bend = shelf / 0.7071752369554196
  const ofShelf = 1 + bend + shelf * shelf
  const pass = Math.tan((Math.PI * 38.13547087602444) / sampleRate)
  const slope = pass / 0.5003270373238773
  const ofPass = 1 + slope + pass * pass
  const feedback = (at: number, damping: number, sum: number) => [
    1,
    (2 * (at * at - 1)) / sum,
    (1 - damping + at * at) / sum,
  ]
  return [
    {
      feedforward: [
        (gain + middle * bend + shelf * shelf) / ofShelf,
        (2 * (shelf * shelf - gain)) / ofShelf,
        (gain - middle * bend + shelf * shelf) / ofShelf,
      ],
      feedback: feedback(shelf, bend, ofShelf),
    },
    { feedforward: [1, -2, 1], feedback: feedback(pass, slope, ofPass) },
  ]
}

/** The loudness of a power: the mean square of K-weighted samples, summed over both channels. */
const loudnessOf = (power: number) => -0.691 + 10 * Math.log10(power)
const powerOf = (loudness: number) => 10 ** ((loudness + 0.691) / 10)

/** The power of samples: their mean square. */
export const meanSquare = (samples: Float32Array) =>
  samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length

/**
 * Sums up momentary blocks to one loudness: those of silence don't count, nor do those of much less than the mean.
 * `known`: an earlier measure, which is continued.
 */
export function createMeter(known: MeasuredLoudness | null) {
  /** Counts blocks by their loudness, so that a day of sound takes no more room than a minute. */
  const counts = new Float64Array((LOUDEST - ABSOLUTE_GATE) * BINS_PER_UNIT + 1)
  const binOf = (loudness: number) => Math.round((Math.min(loudness, LOUDEST) - ABSOLUTE_GATE) * BINS_PER_UNIT)
  const loudnessAt = (bin: number) => ABSOLUTE_GATE + bin / BINS_PER_UNIT
  function add(loudness: number, blocks: number) {
    if (loudness >= ABSOLUTE_GATE) counts[binOf(loudness)]! += blocks
  }
  /** The number of blocks from a bin on, and their loudness. */
  function sumFrom(first: number) {
    let [blocks, power] = [0, 0]
    for (let bin = Math.max(0, first); bin < counts.length; bin++) {
      blocks += counts[bin]!
      power += counts[bin]! * powerOf(loudnessAt(bin))
    }
    return { blocks, loudness: loudnessOf(power / blocks) }
  }
  if (known) add(known.lufs, known.seconds / BLOCK_SECONDS)
  return {
    /** Adds a block by its power. */
    add: (power: number) => add(loudnessOf(power), 1),
    /** The loudness so far; null before there is enough to measure. */
    read(): MeasuredLoudness | null {
      const all = sumFrom(0)
      if (all.blocks === 0) return null
      const { blocks, loudness } = sumFrom(binOf(all.loudness + RELATIVE_GATE))
      const seconds = Math.floor(blocks * BLOCK_SECONDS + 1e-6)
      return seconds < MIN_SECONDS ? null : { lufs: Math.round(loudness * 100) / 100, seconds }
    },
  }
}

/** The factor by which a sound of a loudness is amplified to be as loud as all others. */
export function levelOf(lufs: number): number {
  const gain = Math.min(MAX_GAIN_DB, Math.max(-MAX_GAIN_DB, TARGET_LUFS - lufs))
  return 10 ** (gain / 20)
}
