import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mediaLimits } from '../../../src/server/media/limits'
import { type Piece, type Tags, writeTags } from '../../../src/server/media/write-tags'
import { writePieces } from '../../../src/server/media/write-tags/tags'
import * as media from '../../support/tagged-media'
import { require, type Target } from '../target'

const tags: Tags = {
  title: 'Fog',
  album: 'Lighthouse Radio',
  artist: 'Mara Field',
  date: '2026-03-04',
  number: 7,
  cover: { type: 'image/png', bytes: Buffer.alloc(50, 0xff) },
}

const list = media.box('ilst', media.item('\u00a9nam', 1, Buffer.from('Old')), media.item('xxxx', 0, Buffer.alloc(9)))
const inMovie = [media.box('udta', media.meta('mdir', list), Buffer.alloc(4))]
const frames = (version: number) => media.id3Frame(version, version === 2 ? 'TT2' : 'TIT2', media.latinText('Old'))
const files = [
  ...[2, 3, 4].map(version => Buffer.concat([media.id3Tag(version, frames(version)), media.sound.subarray(0, 999)])),
  media.m4a({ inMovie }),
  media.m4a({ inMovie, width: 8, isSoundFirst: true }),
  media.m4a({ inMovie, wrapMovie: (...inside) => media.longBox('moov', ...inside) }),
]
const MP3S = 3

type Input = { file: number; edits: { at: number; bytes: number[] }[]; length: number }

/**
 * Whatever is broken in a file: its tags are written or refused; what is not replaced stays in its order, and writing
 * the same tags again changes nothing more.
 */
export function writtenTags(): Target<Input> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-fuzz-tags-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const bytes = fc.array(fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255)), { minLength: 1, maxLength: 8 })
  return {
    name: 'written tags',
    texts: [],
    // Each file is synced to the disk.
    slowMs: 10_000,
    inputs: fc.record({
      file: fc.nat(files.length - 1),
      edits: fc.array(fc.record({ at: fc.nat(800), bytes }), { maxLength: 4 }),
      length: fc.oneof({ weight: 4, arbitrary: fc.constant(Number.MAX_SAFE_INTEGER) }, fc.nat(2000)),
    }),
    async check({ file, edits, length }) {
      const old = Buffer.from(files[file]!)
      for (const { at, bytes: edit } of edits)
        old.set(edit.slice(0, Math.max(0, old.length - at)), Math.min(at, old.length))
      const type = file < MP3S ? 'audio/mpeg' : 'audio/mp4'
      const once = await written(join(folder, 'once'), type, old.subarray(0, length))
      if (!once) return
      const again = await written(join(folder, 'again'), type, once)
      require(again?.length === once.length, 'tags that are written again change the file', again?.length)
    },
  }
}

/** The file with its tags; null where they were refused. */
async function written(path: string, type: string, old: Buffer): Promise<Buffer | null> {
  await Bun.write(path, old)
  const { pieces } = await writeTags({ path, type, tags, limits: mediaLimits })
  if (!pieces) return null
  requirePieces(pieces, old.length)
  await writePieces(path, `${path}.new`, pieces)
  return readFile(`${path}.new`)
}

/** Ranges of the old file come in order, none twice and none beyond its end. */
function requirePieces(pieces: readonly Piece[], size: number) {
  const places = pieces.flatMap(piece => (piece instanceof Uint8Array ? [] : [piece.from, piece.to]))
  const isInOrder = places.every((place, at) => place >= (places[at - 1] ?? 0))
  require(isInOrder && (places.at(-1) ?? 0) <= size, 'pieces of a file are out of order', places)
}
