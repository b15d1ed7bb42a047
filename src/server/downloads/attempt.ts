import { readFileSync } from 'node:fs'
import { feedAccess } from '../feeds/fetch/access'
import type { Outbound } from '../outbound/request'
import type { Clock } from '../platform/clock'
import type { Secret } from '../platform/secret'
import type { DownloadRow } from '../store/downloads'
import { downloadLimits, type DownloadLimits } from './limits'
import { findExisting, place, type PlaceNeeds } from './place'
import type { Progress } from './progress'
import { receive } from './receive'
import { Interrupted } from './settle'
import { findPreferred, MAIN_FORM } from '../../shared/forms'
import type { ParsedForm } from '../feeds/parse/parsed-feed'
import type { Store } from '../store'
import { formsOfEpisode } from '../feeds/parse/forms'
import { DownloadFailure } from './failure'

export type AttemptNeeds = PlaceNeeds & {
  outbound: Outbound
  secret: Secret
  reserveBytes: number
  limits?: Partial<DownloadLimits> | undefined
  /** A clock that never runs backwards. */
  elapsed: Clock
}

/** So often must a host end a file at the same size until the length that it announces is not believed any more. */
const ENDS_BELIEVED = 3

/** Identifies the start of the machine; null where the system does not tell. */
export const bootId = findBootId()

function findBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}

/** Makes one attempt at a download, from its row to the file in place. Throws where it fails or is interrupted. */
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
          needs.log.warn('host ends a file before its announced length each time, so it is taken for whole', {
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

/** The form that a download fetches, and where from. `digests`: those that its bytes must have one of; empty = any. */
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
