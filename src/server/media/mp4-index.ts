import { MAX_CHAPTERS } from '../feeds/parse/chapters'
import { parseText } from '../feeds/parse/values'
import type { ChapterFacts } from '../store/documents'
import { piece, type Readable } from './readable'

// ISO/IEC 14496-12. The list of chapters in `chpl` is Nero's.
const MAX_BOXES = 10_000
const MAX_LIST = 256 * 1024
const MAX_MS = 1e9

type Box = { type: string; body: number; end: number }

/** Whether an MP4 has the index without which nothing of it can be played. The file may end within a box. */
export const hasMp4Index = async (file: Readable, size: number) => (await find(file, 0, size, 'moov')) !== null

export type Mp4Index = { seconds: number | null; chapters: ChapterFacts[]; hasVideo: boolean | null }

/** Reads what an index states about a file that ends too early to follow its tables. */
export async function readMp4Index(file: Readable, size: number): Promise<Mp4Index> {
  const moov = await find(file, 0, size, 'moov')
  if (!moov) return { seconds: null, chapters: [], hasVideo: null }
  const header = await find(file, moov.body, moov.end, 'mvhd')
  const udta = await find(file, moov.body, moov.end, 'udta')
  const list = udta && (await find(file, udta.body, udta.end, 'chpl'))
  return {
    seconds: header && secondsIn(await piece(file, header.body, 32)),
    chapters: list ? chaptersIn(await piece(file, list.body, Math.min(MAX_LIST, list.end - list.body))) : [],
    hasVideo: await hasVideo(file, moov),
  }
}

async function hasVideo(file: Readable, moov: Box): Promise<boolean> {
  for await (const track of boxes(file, moov.body, moov.end)) {
    const media = track.type === 'trak' ? await find(file, track.body, track.end, 'mdia') : null
    const handler = media && (await find(file, media.body, media.end, 'hdlr'))
    if (handler && (await piece(file, handler.body + 8, 4)).toString('latin1') === 'vide') return true
  }
  return false
}

async function find(file: Readable, from: number, to: number, wanted: string): Promise<Box | null> {
  for await (const box of boxes(file, from, to)) if (box.type === wanted) return box
  return null
}

/** The boxes between two bytes, up to the first that is malformed. */
async function* boxes(file: Readable, from: number, to: number): AsyncGenerator<Box> {
  for (let at = from, count = 0; at + 8 <= to && count < MAX_BOXES; count++) {
    const bytes = await piece(file, at, 16)
    if (bytes.length < 8) return
    const short = bytes.readUInt32BE(0)
    const head = short === 1 ? 16 : 8
    if (bytes.length < head) return
    const length = short === 0 ? to - at : short === 1 ? Number(bytes.readBigUInt64BE(8)) : short
    if (length < head) return
    yield { type: bytes.toString('latin1', 4, 8), body: at + head, end: Math.min(to, at + length) }
    at += length
  }
}

function secondsIn(header: Buffer): number | null {
  const isLong = header[0] === 1
  if (header.length < (isLong ? 32 : 20)) return null
  const scale = header.readUInt32BE(isLong ? 20 : 12)
  const duration = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  return scale > 0 && duration > 0 && duration < 0xffffffff ? duration / scale : null
}

/** A count in one byte, then each start in tenths of a microsecond, and its title after a byte with its length. */
function chaptersIn(list: Buffer): ChapterFacts[] {
  const chapters: ChapterFacts[] = []
  const at = list[0] === 1 ? 8 : 4
  const count = Math.min(list[at] ?? 0, MAX_CHAPTERS)
  for (let place = at + 1, left = count; left > 0 && place + 9 <= list.length; left--) {
    const startMs = Math.floor(Number(list.readBigUInt64BE(place)) / 10_000)
    const end = place + 9 + list[place + 8]!
    const title = parseText(list.toString('utf8', place + 9, end)) ?? ''
    if (startMs <= MAX_MS) chapters.push({ startMs, endMs: null, title, href: null, imageUrl: null })
    place = end
  }
  return chapters
}
