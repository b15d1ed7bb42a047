import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sniffMedia } from '../../../src/server/downloads/media-type'
import { mediaLimits } from '../../../src/server/media/limits'
import { readMedia } from '../../../src/server/media/read'
import * as media from '../../support/hostile-media'
import { require } from '../target'

const folder = mkdtempSync(join(tmpdir(), 'castellan-fuzz-media-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** A byte is a character here. */
export const endlessMedia = media.endlessMedia.map(({ begin, units }) => ({
  begin: begin.toString('latin1'),
  units: units.map(unit => unit.toString('latin1')),
}))

/** Within the bounds of the product: a file may be cut short by them, and never takes long. */
export async function readTags(text: string) {
  const path = join(folder, 'file')
  const bytes = Buffer.from(text, 'latin1')
  await Bun.write(path, bytes)
  const type = (await sniffMedia(bytes.subarray(0, 16_384)))?.type ?? 'audio/mpeg'
  const { duration, chapters } = await readMedia({ path, type, limits: mediaLimits })
  require(duration === null || Number.isSafeInteger(duration), 'a file is no time long', duration)
  const starts = chapters.map(({ startMs }) => startMs)
  require(starts.every(
    (start, at) => at === 0 || start > starts[at - 1]!,
  ), 'chapters of a file are out of order', starts)
}
