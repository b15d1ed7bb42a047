import { readFileSync } from 'node:fs'
import { findPreferred, MAIN_FORM } from '../../shared/forms'
import { feedAccess } from '../feeds/fetch/address'
import { formsOfEpisode } from '../feeds/parse/forms'
import type { ParsedForm } from '../feeds/parse/parsed-feed'
import type { Outbound } from '../outbound/request'
import { type Clock, MINUTE } from '../platform/clock'
import { describeError } from '../platform/log'
import type { Secret } from '../platform/secret'
import { StorageFailure } from '../storage/storage'
import type { Store } from '../store'
import type { DownloadRow } from '../store/downloads'
import { DownloadFailure } from './failure'
import { downloadLimits, type DownloadLimits, type Progress } from './pace'
import { findExisting, place, type PlaceNeeds } from './place'
import { receive } from './receive'

export type AttemptNeeds = PlaceNeeds & {
  outbound: Outbound
  secret: Secret
  reserveBytes: number
  limits?: Partial<DownloadLimits> | undefined
  /** A clock that never runs backwards. */
  elapsed: Clock
}

/**
 * The number of times that a host must end a file at the same size before its announced length is no longer believed.
 */
const ENDS_BELIEVED = 3

/** Identifies the current boot of the machine; null if the system does not say. */
export const bootId = findBootId()

function findBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}

/** Makes one attempt at a download, from its row to the file in place. Throws if it fails or is interrupted. */
export async function attempt(needs: AttemptNeeds, row: DownloadRow, progress: Progress, signal: AbortSignal) {
  const { store } = needs
  if (await findExisting(needs, row, signal)) return
  const podcast = store.podcasts.find(row.podcast_id)!
  const form = chooseForm(store, row)
  if (form.id !== (row.form ?? MAIN_FORM)) await store.write(() => store.downloads.setForm(row.id, form.id))
  const source = {
    eid: row.eid,
    address: form.address,
    ...feedAccess(needs, podcast),
    received: trustedBytes(row),
    total: row.total_bytes,
    etag: row.etag,
    lastModified: row.last_modified,
  }
  const received = await receive(
    source,
    {
      ...needs,
      limits: { ...downloadLimits, ...needs.limits },
      onSource({ host, ...source }) {
        progress.host = host
        return store.write(() => store.downloads.describeSource(row.id, source))
      },
      isPatient: row.ended_count > 0,
      async isEnd(size) {
        const count = row.ended_size === size ? row.ended_count + 1 : 1
        await store.write(() => store.downloads.noteEarlyEnd(row.id, size, count))
        const isEnd = count >= ENDS_BELIEVED
        if (isEnd)
          needs.log.warn('Host always ends a file before its announced length, so it is accepted as complete', {
            episode: row.episode_title,
            bytes: size,
            announced: row.total_bytes,
          })
        return isEnd
      },
      onDiscard: () => store.write(() => store.downloads.checkpoint(row.id, 0)),
      onCheckpoint(received) {
        // The next one counts what this one leaves out.
        if (store.isWritable()) store.downloads.checkpoint(row.id, received)
      },
      onProgress: (received, total) => Object.assign(progress, { received, total }),
    },
    signal,
  )
  progress.isReceived = true
  await requireIntegrity(needs.files.folder.partOf(row.eid), form.digests, signal)
  const current = store.downloads.find(row.id)
  // Cancelled, or its podcast deleted, as the last byte arrived.
  if (!current) throw new Interrupted('cancelled')
  // The episode may have been merged into another one, which gets the file.
  await place(needs, { ...row, episode_id: current.episode_id, form: form.id }, received, signal)
}

/** A killed process loses nothing that it wrote; after a power cut, only the bytes that were synced count. */
const trustedBytes = (row: DownloadRow) =>
  bootId !== null && row.boot_id === bootId ? Number.MAX_SAFE_INTEGER : row.received_bytes

/**
 * The form that a download fetches, and its source. `digests`: its bytes must match one of these; empty = any bytes.
 */
type ChosenForm = { id: string; address: string; digests: readonly string[] }

/**
 * Chooses the form of a download: the one that a person or an earlier attempt chose, else the one that the podcast's
 * settings prefer, else the main one. Each attempt takes the next source of the form.
 */
function chooseForm(store: Store, row: DownloadRow): ChosenForm {
  const episode = store.episodes.find(row.episode_id)!
  const forms = formsOfEpisode(episode)
  const main = { type: episode.enclosure_type, size: episode.enclosure_size }
  const form =
    row.form === null
      ? findPreferred(store.podcastSettings.of(row.podcast_id).preferred_form, main, forms)
      : forms.find(({ id }) => id === row.form)
  if (form) {
    const { url } = form.sources[row.attempts % form.sources.length]!
    return { id: form.id, address: url, digests: digestsOf(form) }
  }
  // A form may describe the enclosure itself.
  const same = forms.find(({ sources }) => sources.some(({ url }) => url === row.enclosure_url))
  return { id: MAIN_FORM, address: row.enclosure_url, digests: same ? digestsOf(same) : [] }
}

const digestsOf = ({ integrity }: ParsedForm): string[] =>
  integrity?.type === 'sri' ? integrity.value.split(/\s+/).filter(Boolean) : []

const algorithms = ['sha512', 'sha384', 'sha256'] as const
type Algorithm = (typeof algorithms)[number]
type Digest = { algorithm: Algorithm; value: string }

/**
 * Compares a file with the digests of its feed (https://www.w3.org/TR/SRI/): it must have one of those of the strongest
 * algorithm. Digests of other algorithms say nothing. Throws `integrity-mismatch`, or the reason of `signal`.
 */
async function requireIntegrity(path: string, stated: readonly string[], signal: AbortSignal) {
  const digests = stated.flatMap(text => parseDigest(text) ?? [])
  const algorithm = algorithms.find(known => digests.some(digest => digest.algorithm === known))
  if (!algorithm) return
  const hasher = new Bun.CryptoHasher(algorithm)
  for await (const chunk of Bun.file(path).stream()) {
    signal.throwIfAborted()
    hasher.update(chunk)
  }
  const found = hasher.digest('base64')
  if (digests.some(digest => digest.algorithm === algorithm && digest.value === found)) return
  throw new DownloadFailure(
    'integrity-mismatch',
    `The file of the host is not the one that the feed describes: its ${algorithm} digest differs. It was not kept.`,
    true,
  )
}

function parseDigest(text: string): Digest | null {
  const [, name, value] = /^(sha256|sha384|sha512)-([A-Za-z0-9+/_-]{43,88}={0,2})(?:\?.*)?$/.exec(text) ?? []
  if (!name || !value) return null
  return { algorithm: name as Algorithm, value: Buffer.from(value, 'base64').toString('base64') }
}

const MAX_ATTEMPTS = 8
const MAX_PERMANENT = 3
/** An attempt that received this much resets the count of attempts. */
const PROGRESS_BYTES = 256 * 1024
/** The storage of complete files can't be reached, or does not store what it is sent. */
export const storageAbsent = 'media-storage-absent'
/** Failures after which other downloads go first. */
const goesToEnd = new Set(['upstream-too-slow', 'upstream-timeout'])
/** Failures whose received bytes are useless. */
const discardsPart = new Set([
  'not-media',
  'media-incomplete',
  'integrity-mismatch',
  'too-large-upstream',
  'media-superseded',
])

/** A download was interrupted by a person or by the end of the process, with the state that it enters. */
export type Outcome = 'paused' | 'queued' | 'cancelled'

/** The reason of an abort. */
export class Interrupted extends Error {
  override name = 'Interrupted'
  constructor(readonly outcome: Outcome) {
    super(outcome)
  }
}

type SettleNeeds = Pick<AttemptNeeds, 'store' | 'files' | 'now' | 'log' | 'publish'>

/** Records the end of an attempt that gave no file: when the next one is due, or that the download has failed. */
export async function settle(needs: SettleNeeds, row: DownloadRow, error: unknown) {
  const { store, files, log } = needs
  await store.whenWritable()
  if (error instanceof Interrupted) return settleInterrupted(needs, row, error)
  // The podcast was deleted during the attempt.
  if (!store.downloads.find(row.id)) return files.folder.removePart(row.eid)
  const failure = asFailure(error)
  if (failure.code === 'unexpected')
    log.error('Download failed', { episode: row.episode_title, error: describeError(error) })
  if (discardsPart.has(failure.code)) {
    await files.folder.removePart(row.eid)
    await store.whenWritable()
    store.downloads.checkpoint(row.id, 0)
  }
  if (goesToEnd.has(failure.code)) store.downloads.moveToEnd(row.id)
  settleFailed(needs, row, failure)
}

function settleFailed(needs: SettleNeeds, row: DownloadRow, failure: DownloadFailure) {
  const { store, now, log, publish } = needs
  const { code, message, permanent, retryAfterMs } = failure
  const wait = (ms: number, attempts: number) => store.downloads.wait(row.id, attempts, now() + ms, { code, message })
  // Neither is the download's fault: it waits as long as necessary.
  if (code === 'disk-full') publish({ type: 'diskFull', freeBytes: null })
  if (code === 'disk-full' || code === storageAbsent) return wait(retryAfterMs ?? MINUTE, row.attempts)
  const attempts = countAttempts(needs, row, failure)
  const isSuperseded = code === 'media-superseded'
  const hasFailed = isSuperseded || attempts >= (permanent ? MAX_PERMANENT : MAX_ATTEMPTS)
  const isRefused = code === 'media-unreachable' && permanent
  if (isSuperseded || (isRefused && !hasFailed)) publish({ type: 'mediaRefused', podcastId: row.podcast_id })
  if (!hasFailed) return wait(retryAfterMs ?? MINUTE * 2 ** (attempts - 1), attempts)
  store.downloads.giveUp(row.id, attempts, { code, message }, now())
  log.warn('Download failed permanently', {
    podcast: row.podcast_title,
    episode: row.episode_title,
    attempts,
    reason: message,
  })
}

function countAttempts({ store }: SettleNeeds, row: DownloadRow, { code, retryAfterMs }: DownloadFailure): number {
  const received = store.downloads.find(row.id)?.received_bytes ?? 0
  if (received >= row.received_bytes + PROGRESS_BYTES) return 1
  // It let others go first.
  return code === 'upstream-too-slow' && retryAfterMs === 0 ? Math.max(1, row.attempts) : row.attempts + 1
}

function asFailure(error: unknown): DownloadFailure {
  if (error instanceof DownloadFailure) return error
  // The storage can be reached, so waiting until it can would try again at once, forever.
  if (error instanceof StorageFailure && error.trouble === 'refused')
    return new DownloadFailure('unexpected', error.message)
  if (error instanceof StorageFailure)
    return new DownloadFailure(error.trouble === 'full' ? 'disk-full' : storageAbsent, error.message)
  return new DownloadFailure('unexpected', 'The download failed unexpectedly. The server log has the reason.')
}

async function settleInterrupted({ store, files }: SettleNeeds, row: DownloadRow, { outcome }: Interrupted) {
  if (outcome === 'cancelled') await files.folder.removePart(row.eid)
  else store.downloads.setState(row.id, outcome)
}
