import { textFrame, writeTag } from '../write-tags/id3-frames'
import { isMp4 } from '../../../shared/media-kinds'
import { Unreadable, type Source } from '../frames/window'
import { cutAdts } from './adts'
import { cutMp3 } from './mp3'
import { cutMp4 } from './mp4'
import type { CutPlan } from './plan'
import { CutRefused, type CutSpan } from './source'

/** The title of a cut, and what it was cut from. */
export type CutTitles = { title: string; podcast: string }

/** A file is read once up to the end of the span; what is damaged may be searched again. */
const budgetFor = ({ size }: Source) => 2 * size + 16 * 1024 * 1024
/** Five minutes at the highest rate of MP3 are 12 MB. */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_TITLE = 200

/**
 * Cuts a span out of a file on the borders of its frames, without decoding it, so the sound is the publisher's own. MP3
 * stays MP3; AAC becomes bare AAC, out of MP4 as well. The answer says which bytes make the cut. Throws `CutRefused`.
 */
export async function cut(source: Source, type: string, span: CutSpan, titles: CutTitles): Promise<CutPlan> {
  const cutter = cutterOf(type)
  if (!cutter) throw new CutRefused('unsupported')
  const made = await cutter(source, span, writeTitles(titles), budgetFor(source)).catch(error => {
    throw error instanceof Unreadable ? new CutRefused(error.reason) : error
  })
  if (made.size > MAX_BYTES) throw new CutRefused('too-large')
  return made
}

function cutterOf(type: string) {
  if (type === 'audio/mpeg') return cutMp3
  if (type === 'audio/aac') return cutAdts
  return isMp4(type) ? cutMp4 : null
}

const writeTitles = ({ title, podcast }: CutTitles): Buffer =>
  writeTag(3, [textFrame('TIT2', title.slice(0, MAX_TITLE), 3), textFrame('TALB', podcast.slice(0, MAX_TITLE), 3)])
