import type { MeasuredLoudness } from '../../shared/api/history'

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
