import type { ErrorCode } from '../shared/error-code'
import { applyDigest, type Applied } from './feeds/apply'
import { joinPages } from './feeds/pages'
import { digestFeed, type Digest, type DigestRequest } from './feeds/digest'
import { readTranscript, type TranscriptRequest } from './feeds/transcripts'
import { numberTag, type NumberTagRequest } from './media/number-tag'
import { readMedia, type MediaFacts, type MediaRequest } from './media/read'
import { parseOpml, type Outline } from './opml/parse'
import { Problem } from './platform/problem'
import { indexSome } from './search/index-episodes'
import type { Store } from './store'
import { BackupError } from './store/backup'
import type { Segment } from './store/documents'
import { isDamage } from './store/inspect'
import type { Validators } from './store/podcasts'

/** `podcastId`: whose known episodes the feed is compared with; null for a podcast that is not here yet. */
export type ReadRequest = Omit<DigestRequest, 'known'> & { podcastId: number | null }

/** A digest that stays where it was made: what it says of the podcast, and the number under which it is kept there. */
export type Reading = Omit<Digest, 'added' | 'edited' | 'vanished' | 'returned' | 'superseded'> & { kept: number }

export type ReadResult =
  | { ok: true; reading: Reading }
  | { ok: false; reason: 'not-a-feed'; type: string; alternates: readonly string[] }
  | { ok: false; reason: 'too-large'; message: string; limit: string }
  /** Our reader tripped over it. */
  | { ok: false; reason: 'unreadable'; bug: string }

/** Several readings are the pages of one feed, the newest first. */
export type ApplyRequest = { podcastId: number; readings: readonly number[]; validators: Validators; now: number }

export type BackUpRequest = { secretPath: string; target: string }

/** A refusal as it is, since an error loses its kind on the way. */
export type OpmlResult =
  { ok: true; outlines: Outline[] } | { ok: false; code: ErrorCode; message: string; args: Record<string, string> }

/** What the background does, by name: request in, result out. */
export type Tasks = {
  read: { request: ReadRequest; result: ReadResult }
  readTranscript: { request: TranscriptRequest; result: Segment[] }
  readOpml: { request: string; result: OpmlResult }
  readMedia: { request: MediaRequest; result: MediaFacts }
  numberTag: { request: NumberTagRequest; result: { tag: Uint8Array; soundAt: number } | null }
  apply: { request: ApplyRequest; result: Applied | null | 'lost' }
  forget: { request: readonly number[]; result: void }
  index: { request: null; result: void }
  /** Nothing is to be done for a while. */
  rest: { request: null; result: void }
  /** Answers what went wrong, in a sentence; null = nothing. */
  backUp: { request: BackUpRequest; result: { message: string; isDiskFull: boolean } | null }
  /** Reads the database through; answers what is wrong with it, null = nothing. */
  check: { request: null; result: string | null }
  close: { request: null; result: void }
}
export type TaskName = keyof Tasks

/** `id`: of the message, another one for each, also in the thread that comes after this one. */
type Performers = {
  [T in TaskName]: (request: Tasks[T]['request'], id: number) => Tasks[T]['result'] | Promise<Tasks[T]['result']>
}

/** The library is opened when it is first wanted: reading a feed of nobody's needs none. */
export function createTasks(openLibrary: () => Store): Performers {
  let library: Store | null = null
  const opened = () => (library ??= openLibrary())
  const digests = new Map<number, Digest>()

  return {
    read({ podcastId, ...request }, id) {
      const known = podcastId === null ? [] : opened().episodes.knownOf(podcastId)
      const result = tryToDigest({ ...request, known })
      if (!result.ok) return result
      digests.set(id, result.digest)
      const { added: _1, edited: _2, vanished: _3, returned: _4, superseded: _5, ...reading } = result.digest
      return { ok: true, reading: { ...reading, kept: id } }
    },
    readTranscript,
    readMedia,
    numberTag,
    readOpml(xml) {
      try {
        return { ok: true, outlines: parseOpml(xml) }
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return { ok: false, code: error.code, message: error.message, args: error.args }
      }
    },
    async apply({ podcastId, readings, validators, now }) {
      const pages = readings.map(place => digests.get(place))
      for (const place of readings) digests.delete(place)
      const [first, ...older] = pages
      if (!first || older.includes(undefined)) return 'lost'
      return applyDigest(opened(), podcastId, joinPages(first, older as Digest[]), validators, now)
    },
    forget(readings) {
      for (const place of readings) digests.delete(place)
    },
    index: () => indexSome(opened()),
    rest() {
      library?.shrink()
      Bun.gc(true)
    },
    backUp({ secretPath, target }) {
      try {
        opened().writeBackup(secretPath, target)
        return null
      } catch (error) {
        if (!(error instanceof BackupError)) throw error
        return { message: error.message, isDiskFull: error.isDiskFull }
      }
    },
    check() {
      try {
        return opened().health.quickDamage()
      } catch (error) {
        if (!isDamage(error)) throw error
        return (error as Error).message
      }
    },
    close() {
      library?.close()
      library = null
    },
  }
}

function tryToDigest(request: DigestRequest) {
  try {
    return digestFeed(request)
  } catch (error) {
    return { ok: false as const, reason: 'unreadable' as const, bug: bugOf(error) }
  }
}

export const bugOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))
