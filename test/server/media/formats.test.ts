import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { SNIFF_BYTES, sniffMedia, withKind } from '../../../src/server/downloads/media-type'
import { mediaLimits } from '../../../src/server/media/limits'
import { readMedia } from '../../../src/server/media/read'
import probed from '../../fixtures/media/ffprobe.json'

const folder = join(import.meta.dir, '../../fixtures/media')

type Facts = { seconds: number; chapters: (string | number)[][]; kind: string | null }

const inTheFile = [
  [0, 'Opening'],
  [2000, 'Übersicht'],
  [4250, 'Close'],
]
/** Where we differ from ffprobe on purpose. */
const better: Record<string, Partial<Facts>> = {
  // It estimates by the first bit rate, or believes a header that was made for the whole; here are 6.5, 3.2 and 3.1 seconds.
  'vbr-without-header.mp3': { seconds: 6 },
  'half.mp3': { seconds: 3 },
  'half-with-header.mp3': { seconds: 3 },
  // It does not find the tag behind the line breaks.
  'lines-in-front.mp3': { chapters: inTheFile },
  // The bytes say what it is; that nothing can play it is found when it is downloaded.
  'half-without-index.m4a': { kind: 'audio' },
  // A transport stream has one type, with and without pictures.
  'plain.mpegts': { kind: 'video' },
}

test.each(Object.entries(probed as Record<string, Facts>))(
  '%s has the length, the chapters and the kind that ffprobe finds',
  async (name, facts) => {
    const path = join(folder, name)
    const media = await sniffMedia(await Bun.file(path).slice(0, SNIFF_BYTES).bytes())
    expect(media).not.toBeNull()
    const { type } = media!
    const { duration, chapters, hasVideo } = await readMedia({ path, type, limits: mediaLimits })
    expect<unknown>({
      seconds: duration ?? 0,
      chapters: chapters.map(({ startMs, title }) => [startMs, title]),
      kind: withKind(media!, hasVideo).type.split('/')[0],
    }).toEqual({ ...facts, ...better[name] })
  },
)
