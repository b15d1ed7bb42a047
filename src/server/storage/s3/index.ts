import type { BucketSettings } from '../../config'
import { readBody } from '../../outbound/body'
import { OutboundError } from '../../outbound/error'
import { type Clock, SECOND } from '../../platform/clock'
import { type Log, describeError } from '../../platform/log'
import type { ProxyNeeds } from '../../outbound/reach'
import { Problem } from '../../platform/problem'
import { type MediaStorage, type PutOptions, type Span, StorageFailure } from '../storage'
import { bucketLimits, createBucketClient, nameOf, type BucketClient, type BucketLimits } from './client'
import { factsOf, listObjects, openObject, probe, readObject, removeObject, type ObjectFacts } from './objects'
import { createReadAhead } from './read-ahead'
import { createUploads, type Uploads } from './upload'

export type { BucketLimits } from './client'
export type { ObjectFacts } from './objects'
export type MediaBucket = ReturnType<typeof createMediaBucket>

const REMEMBERED_MS = 60 * SECOND
const MAX_REMEMBERED = 256

type Needs = {
  proxies: ProxyNeeds
  elapsed: Clock
  log: Log
  onReturn?: () => void
  limits?: Partial<BucketLimits> | undefined
}

/** A private bucket of an S3-compatible service. A file's key is the prefix of the settings and its path. */
export function createMediaBucket(
  settings: BucketSettings,
  { proxies, elapsed, log, onReturn = () => {}, limits }: Needs,
) {
  const all = { ...bucketLimits, ...limits }
  const { answerMs, slowestBytesPerSecond } = all
  const client = createBucketClient(settings, proxies, all)
  const uploads = createUploads(client, log)
  const presence = createPresence({ probe: () => probe(client), name: nameOf(settings), elapsed, log, onReturn })
  const patience = ({ from, to }: Span) => ({ totalMs: answerMs + ((to - from) / slowestBytesPerSecond) * SECOND })
  const played = createPlayedFiles({ client, noting, elapsed, patience })
  const { forget } = played
  void presence.ask()

  /** Notes whether the bucket answered. */
  async function noting<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work
      presence.note(true)
      return result
    } catch (error) {
      if (error instanceof StorageFailure && error.trouble === 'away') presence.note(false, error)
      throw error
    }
  }

  function requirePresent() {
    if (presence.isPresent()) return
    throw new Problem('media-storage-absent', presence.reason())
  }

  return {
    name: 's3',
    settings,
    isPresent: presence.isPresent,
    isAway: presence.isAway,
    requirePresent,
    /** Asks the bucket now whether it is there, and returns why not. */
    ask: async () => ((await presence.ask()) ? null : presence.reason()),
    sizeOf: (path: string) => noting(factsOf(client, path).then(facts => facts?.size ?? null)),
    put(local: string, path: string, options: PutOptions) {
      forget(path)
      return noting(uploads.put(local, path, options)).finally(() => forget(path))
    },
    move(from: string, to: string) {
      forget(from)
      forget(to)
      return noting(rename(client, uploads, from, to)).finally(() => (forget(from), forget(to)))
    },
    async areSame(one: string, other: string) {
      const [first, second] = await noting(Promise.all([factsOf(client, one), factsOf(client, other)]))
      if (first === null || first.size !== second?.size) return false
      // A copy of a file that was sent in parts has another ETag.
      return first.etag === second.etag || (await digestOf(client, one)) === (await digestOf(client, other))
    },
    remove(path: string) {
      forget(path)
      return noting(removeObject(client, path)).finally(() => forget(path))
    },
    readBytes: (path: string, span: Span, signal?: AbortSignal) =>
      noting(readSpan(client, { ...patience(span), ...(signal && { signal }) }, path, span)),
    chunks: (path: string) => readObject(client, path),
    list: () => listObjects(client),
    /** Returns whether a file holds the bytes of a local one, named by its absolute path. */
    holds: (path: string, local: string) => noting(uploads.holds(path, local)),
    /** Ends uploads that killed processes began before `before`; returns how many. */
    sweepUploads: (before: number) => noting(uploads.sweep(before)),

    ...played,
    /** An address from which anybody can get a file for a while. */
    presign: client.presign,
  } satisfies MediaStorage & Record<string, unknown>
}

type PlayedNeeds = {
  client: BucketClient
  noting: <T>(work: Promise<T>) => Promise<T>
  elapsed: Clock
  /** How long a part of a file may take. */
  patience: (span: Span) => { totalMs: number }
}

/** Reads files for players. */
function createPlayedFiles({ client, noting, elapsed, patience }: PlayedNeeds) {
  const known = createFacts(elapsed)
  const ahead = createReadAhead((path, span, etag) =>
    noting(readSpan(client, { ...patience(span), etag, isUrgent: true }, path, span)).then(bytes => {
      if (bytes.byteLength === span.to - span.from) return bytes
      throw new StorageFailure('away', `${nameOf(client.settings)} sent only a part of ${path}`)
    }),
  )
  return {
    /** Size and version of a file, remembered for a minute; null when there is none. */
    factsOf: (path: string): Promise<ObjectFacts | null> =>
      known.find(path, () => noting(factsOf(client, path, { isUrgent: true }))),
    forget(path: string) {
      known.forget(path)
      ahead.forget(path)
    },
    /** A test, good for a second, whether these facts are still those that are known. */
    currency(path: string, facts: ObjectFacts): () => boolean {
      const until = elapsed() + SECOND
      return () => elapsed() < until && known.areCurrent(path, facts)
    },
    /** A range of a version of a file, if it is in memory. */
    findRange: ahead.find,
    /**
     * Sends a range of a version of a file; what is sent ends with `signal`. Throws `missing` once there is another
     * version.
     */
    async openRange(path: string, span: Span, facts: ObjectFacts, signal: AbortSignal): Promise<BodyInit | null> {
      const bytes = await ahead.read(path, span, facts)
      if (bytes) return bytes as Uint8Array<ArrayBuffer>
      return (await noting(openObject(client, path, { span, etag: facts.etag, signal, isUrgent: true }))).body
    },
  }
}

async function rename(client: BucketClient, uploads: Uploads, from: string, to: string) {
  const facts = await factsOf(client, from)
  if (facts === null) throw new StorageFailure('missing', `${from} is not in the bucket`)
  await uploads.copy(from, to, facts.size)
  const copied = await factsOf(client, to)
  if (copied?.size !== facts.size)
    throw new StorageFailure('broken', `${nameOf(client.settings)} copied ${from} wrongly`)
  await removeObject(client, from)
}

async function digestOf(client: BucketClient, path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const chunk of readObject(client, path)) hasher.update(chunk)
  return hasher.digest('hex')
}

type Reading = { totalMs: number; etag?: string; isUrgent?: boolean; signal?: AbortSignal }

async function readSpan(
  client: BucketClient,
  { totalMs, ...options }: Reading,
  path: string,
  { from, to }: Span,
): Promise<Uint8Array> {
  if (to <= from) return new Uint8Array()
  const { signal } = options
  const response = await openObject(client, path, { span: { from, to }, ...options })
  return readBody(response, { maxBytes: to - from, idleMs: totalMs, totalMs, host: nameOf(client.settings) }).catch(
    error => {
      signal?.throwIfAborted()
      const isMore = error instanceof OutboundError && error.code === 'too-large'
      const done = isMore ? 'sent more than was asked for' : 'broke off a file'
      throw new StorageFailure('away', `${nameOf(client.settings)} ${done}`, { cause: error })
    },
  )
}

/** Remembers the facts of a few files for a minute. */
function createFacts(elapsed: Clock) {
  const remembered = new Map<string, { facts: ObjectFacts; until: number }>()
  return {
    async find(path: string, ask: () => Promise<ObjectFacts | null>): Promise<ObjectFacts | null> {
      const known = remembered.get(path)
      if (known && elapsed() < known.until) return known.facts
      const facts = await ask()
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      if (facts) remembered.set(path, { facts, until: elapsed() + REMEMBERED_MS })
      return facts
    },
    /** Whether these facts are the remembered ones. */
    areCurrent(path: string, facts: ObjectFacts) {
      const known = remembered.get(path)
      return known?.facts === facts && elapsed() < known.until
    },
    forget: (path: string) => remembered.delete(path),
  }
}

/** Writes a small file into a bucket, reads and deletes it. Throws `StorageFailure`, which says what to do. */
export async function tryBucket(settings: BucketSettings, proxies: ProxyNeeds): Promise<void> {
  const limits = { ...bucketLimits, answerMs: TRIAL_MS, pauses: [] }
  const client = createBucketClient(settings, proxies, limits)
  await probe(client)
  // Hidden, so that no list of media has it if it should stay.
  const [path, body] = [`.castellan-${crypto.randomUUID()}`, new TextEncoder().encode('written by castellan setup')]
  await client.send({ method: 'PUT', path, body }).then(response => response.body?.cancel())
  const read = await readSpan(client, { totalMs: TRIAL_MS }, path, { from: 0, to: body.length })
  await removeObject(client, path)
  if (!Buffer.from(read).equals(body))
    throw new StorageFailure('broken', `${nameOf(settings)} returned other bytes than were written`)
}

const TRIAL_MS = 10 * SECOND
const PAUSE_MS = 5 * SECOND

type PresenceNeeds = {
  /** Sends the storage any request; rejects while it can't be reached. */
  probe: () => Promise<unknown>
  /** The storage, for people. */
  name: string
  /** A clock that never runs backwards. */
  elapsed: Clock
  log: Log
  onReturn: () => void
}

/**
 * Remembers whether a storage in the network can be reached. It counts as unreachable until its first answer; while it
 * is, it is asked again whenever somebody wants to know, at most every few seconds.
 */
function createPresence({ probe, name, elapsed, log, onReturn }: PresenceNeeds) {
  let isPresent: boolean | null = null
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<boolean> | null = null
  let reason = 'it was not asked yet'

  function note(next: boolean, error?: unknown) {
    if (error !== undefined) reason = error instanceof StorageFailure ? error.message : describeError(error)
    if (next === isPresent) return
    const was = isPresent
    isPresent = next
    if (!next) log.error('Media storage cannot be reached: downloads wait until it can', { storage: name, reason })
    else if (was === false) log.info('Media storage can be reached again: downloads resume', { storage: name })
    if (next) onReturn()
  }

  function ask(): Promise<boolean> {
    askedAt = elapsed()
    asking ??= probe()
      .then(
        () => note(true),
        error => note(false, error),
      )
      .then(() => isPresent === true)
      .finally(() => (asking = null))
    return asking
  }

  const askIfDue = () => {
    if (isPresent !== true && elapsed() - askedAt >= PAUSE_MS) void ask()
  }

  return {
    /** Asks now. */
    ask,
    /** The reason why it can't be reached. */
    reason: () => reason,
    note,
    isPresent(): boolean {
      askIfDue()
      return isPresent === true
    },
    /** Whether it is known to be unreachable; false before its first answer. */
    isAway(): boolean {
      askIfDue()
      return isPresent === false
    },
  }
}
