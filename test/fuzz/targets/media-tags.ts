import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sniffMedia } from '../../../src/server/downloads/media-type'
import { mediaLimits } from '../../../src/server/media/limits'
import { readMedia } from '../../../src/server/media/read'
import * as media from '../../support/hostile-media'
import { makeFolder } from '../../support/memory-folders'
import { require } from '../target'

const folder = makeFolder('test')
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Beginnings of media files and what may follow them, as texts with one character per byte. */
export const endlessMedia = media.endlessMedia.map(({ begin, units }) => ({
  begin: begin.toString('latin1'),
  units: units.map(unit => unit.toString('latin1')),
}))

/**
 * Reads a file as the server does, and checks its duration and chapters. The limits of the server hold: a long file is
 * read in part only, and none takes long.
 */
export async function readTags(text: string) {
  const path = join(folder, 'file')
  const bytes = Buffer.from(text, 'latin1')
  await Bun.write(path, bytes)
  const type = (await sniffMedia(bytes.subarray(0, 16_384)))?.type ?? 'audio/mpeg'
  const { duration, chapters } = await readMedia({ path, type, limits: mediaLimits })
  require(duration === null ||
    Number.isSafeInteger(duration), 'the duration of a file is not a whole number of seconds', duration)
  const starts = chapters.map(({ startMs }) => startMs)
  require(starts.every(
    (start, at) => at === 0 || start > starts[at - 1]!,
  ), 'chapters of a file are out of order', starts)
}
