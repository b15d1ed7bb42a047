import { aacRates } from '../adts'
import { findFrame, findPassage, soundStart, type FrameFormat } from './frames'
import type { CutPlan } from './plan'
import { createWindow, CutRefused, type CutSpan, type Source } from './source'

const SAMPLES = 1024

/** https://wiki.multimedia.cx/index.php/ADTS */
const format: FrameFormat = {
  headerBytes: 7,
  parse(bytes, at) {
    if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xf6) !== 0xf0) return null
    const length = ((bytes[at + 3]! & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5)
    const index = (bytes[at + 2]! >> 2) & 15
    const rate = aacRates[index]
    if (length < 7 || rate === undefined) return null
    return { length, samples: SAMPLES * ((bytes[at + 6]! & 3) + 1), rate, kind: index }
  },
}

/** Cuts whole frames out of bare AAC, with the one before them, which the first overlaps. */
export async function cutAdts(source: Source, span: CutSpan, tag: Buffer, budget: number): Promise<CutPlan> {
  const window = createWindow(source, budget)
  const start = await findFrame(window, format, await soundStart(window))
  if (!start) throw new CutRefused('malformed')
  const passage = await findPassage(window, format, start, span, (_frame, _bytes, _offset, before) =>
    Math.min(1, before.length),
  )
  const from = passage.before[0]?.at ?? passage.from
  return { type: 'audio/aac', size: tag.length + passage.to - from, head: tag, sound: { from, to: passage.to } }
}
