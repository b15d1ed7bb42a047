import { adtsFormat as format } from '../frames/adts'
import { findFrame, soundStart } from '../frames/walk'
import { createWindow, type Source } from '../frames/window'
import { findPassage } from './passage'
import type { CutPlan } from './plan'
import { CutRefused, type CutSpan } from './source'

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
