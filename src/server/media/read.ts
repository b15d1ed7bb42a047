import type { ICommonTagsResult } from 'music-metadata'
import { type FileHandle, open } from 'node:fs/promises'
import { inOrder, MAX_CHAPTERS } from '../feeds/parse/chapters'
import { parseAddress, parseText } from '../feeds/parse/values'
import type { ChapterFacts } from '../store/documents'
import { BoundedFile, type Budget } from './bounded-file'
import { readChapters, type MediaTags, readId3Picture, readId3Tags, readHeader } from './id3'
import { isMp4 } from '../../shared/forms'
import type { ChaptersUnread } from '../../shared/api/episode'
import { type MediaLimits, mp4Limits } from './limits'
import { readMatroska } from './matroska'
import { readMp4Index } from './mp4-index'
import { readTransportStream } from './mpeg-ts'
import { collectChapters, readOgg } from './ogg'
import { isBareSound, soundLength } from './sound-length'

export type MediaRequest = { path: string; type: string; limits: MediaLimits }

/**
 * The duration in whole seconds, null = unknown, and the chapters of a file. `isEstimate`: the duration was not
 * measured to the end. `hasVideo`: null if the file does not say.
 */
export type MediaFacts = {
  duration: number | null
  isEstimate: boolean
  hasVideo: boolean | null
  chapters: ChapterFacts[]
  unread: ChaptersUnread | null
}

type Found = {
  seconds: number | null
  chapters: ChapterFacts[]
  isEstimate?: boolean
  hasVideo?: boolean | null
  isOver?: boolean
}

/**
 * Reads the duration and the chapters of a file, within `limits`, whatever the file claims, but neither pictures nor
 * sound. Finds neither in a file that cannot be understood.
 */
export async function readMedia({ path, type, limits }: MediaRequest): Promise<MediaFacts> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const found = await readerOf(type)(file, { size, type }, limits)
    const { seconds, chapters, isEstimate = false, hasVideo = null, isOver = false } = found
    const duration = seconds !== null && Number.isFinite(seconds) ? Math.floor(seconds) : 0
    return {
      duration: duration > 0 ? duration : null,
      isEstimate: duration > 0 && isEstimate,
      hasVideo,
      chapters: inOrder(chapters),
      unread: isOver ? 'too-large' : null,
    }
  } finally {
    await file.close()
  }
}

type Known = { size: number; type: string }
type Reader = (file: FileHandle, known: Known, limits: MediaLimits) => Promise<Found>

function readerOf(type: string): Reader {
  if (type === 'audio/mpeg') return readMp3
  if (isBareSound(type)) return readBareSound
  if (type.endsWith('/ogg')) return (file, { size }, limits) => readOgg(file, size, limits)
  if (/webm$|matroska$/.test(type)) return (file, { size }, limits) => readMatroska(file, size, limits)
  if (type.endsWith('mp2t'))
    return async (file, { size }) => ({ chapters: [], ...(await readTransportStream(file, size)) })
  return isMp4(type) ? readMp4 : parse
}

/** Reads the tags with our own reader: music-metadata would keep every frame of them in memory. */
const readMp3: Reader = async (file, known, limits) => {
  const { chapters, soundAt, isOver } = await readChapters(file, limits)
  return { chapters, isOver, ...(await soundLength(file, known, soundAt, limits)) }
}

const readBareSound: Reader = async (file, known, limits) => {
  const start = (await readHeader(file, 0))?.length ?? 0
  return { chapters: [], ...(await soundLength(file, known, start, limits)) }
}

const readMp4: Reader = async (file, known, limits) => {
  const found = await parse(file, known, { ...limits, ...largerOf(limits, mp4Limits) })
  if (found.seconds !== null || found.isOver) return found
  // Its tables point beyond its end, where music-metadata gives up.
  return { ...found, ...(await readMp4Index(file, known.size)) }
}

const largerOf = (one: Omit<Budget, 'reads'>, other: Omit<Budget, 'reads'>) => ({
  bytes: Math.max(one.bytes, other.bytes),
  single: Math.max(one.single, other.single),
})

/** Reads any other file. Keeps what it found before the budget was spent. */
async function parse(file: FileHandle, known: Known, budget: Budget): Promise<Found> {
  const { parseFromTokenizer } = await import('music-metadata')
  const bounded = new BoundedFile(file, known, budget)
  let seconds: number | null = null
  let hasVideo: boolean | null = null
  let chapters: ChapterFacts[] = []
  const metadata = await parseFromTokenizer(bounded, {
    skipCovers: true,
    duration: false,
    includeChapters: true,
    observer({ tag }) {
      if (tag.type !== 'format') return
      if (tag.id === 'duration' && typeof tag.value === 'number') seconds = tag.value
      if (tag.id === 'hasVideo' && typeof tag.value === 'boolean') hasVideo = tag.value
      if (tag.id === 'chapters' && Array.isArray(tag.value)) chapters = (tag.value as Chapter[]).flatMap(factsOf)
    },
  }).catch(() => undefined)
  const comments = collectChapters()
  // Those of FLAC.
  for (const { id, value } of metadata?.native.vorbis ?? []) comments.add(`${id}=${value}`)
  chapters.push(...comments.chapters())
  return { seconds, hasVideo, chapters: chapters.slice(0, MAX_CHAPTERS * 2), isOver: bounded.isSpent }
}

/** Reads the tags of a file, within `limits`; none for a file that cannot be understood. */
export async function readTags({ path, type, limits }: MediaRequest): Promise<MediaTags> {
  const file = await open(path, 'r')
  try {
    if (type === 'audio/mpeg') return await readId3Tags(file, limits)
    const { title, album, artist, date, comment, track } = (await parseCommon(file, type, limits, true)) ?? {}
    const words = (value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_WORDS) : null)
    const number = track?.no ?? null
    return {
      title: words(title),
      album: words(album),
      artist: words(artist),
      date: words(date),
      comment: words(comment?.[0]?.text),
      number,
    }
  } finally {
    await file.close()
  }
}

/** Reads the first picture in the tags of an MP3 or MP4, within `limits`; null if there is none. */
export async function readPicture({ path, type, limits }: MediaRequest): Promise<Uint8Array | null> {
  const file = await open(path, 'r')
  try {
    if (type === 'audio/mpeg') return await readId3Picture(file, limits)
    if (!isMp4(type)) return null
    return (await parseCommon(file, type, limits, false))?.picture?.[0]?.data ?? null
  } finally {
    await file.close()
  }
}

const MAX_WORDS = 10_000

/** Facts read until the budget was spent. */
async function parseCommon(file: FileHandle, type: string, limits: MediaLimits, skipCovers: boolean) {
  const { parseFromTokenizer } = await import('music-metadata')
  const { size } = await file.stat()
  const budget = isMp4(type) ? { ...limits, ...largerOf(limits, mp4Limits) } : limits
  let common: ICommonTagsResult | null = null
  await parseFromTokenizer(new BoundedFile(file, { size, type }, budget), {
    skipCovers,
    duration: false,
    observer: ({ metadata }) => (common = metadata.common),
  }).catch(() => undefined)
  return common as ICommonTagsResult | null
}

type Chapter = { start: number; end?: number; timeScale?: number; title: string; url?: { url: string } }

function factsOf({ start, end, timeScale, title, url }: Chapter): ChapterFacts[] {
  // Frames of ID3 are in seconds, tracks of MP4 in their own units.
  const scale = timeScale || 1
  const startMs = milliseconds(start / scale)
  if (startMs === null) return []
  const endMs = end === undefined ? null : milliseconds(end / scale)
  return [
    {
      startMs,
      endMs: endMs !== null && endMs > startMs ? endMs : null,
      title: parseText(title) ?? '',
      href: url ? parseAddress(url.url, 'https://invalid.invalid/') : null,
      imageUrl: null,
    },
  ]
}

const milliseconds = (seconds: number) =>
  Number.isFinite(seconds) && seconds >= 0 && seconds <= 1e6 ? Math.floor(seconds * 1000) : null
