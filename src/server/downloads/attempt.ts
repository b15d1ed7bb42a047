import { readFileSync } from 'node:fs'
import { feedAccess } from '../feeds/access'
import type { Outbound } from '../outbound/request'
import type { Clock } from '../platform/clock'
import type { Secret } from '../platform/secret'
import type { DownloadRow } from '../store/downloads'
import { chooseForm } from './forms'
import { requireIntegrity } from './integrity'
import { downloadLimits, type DownloadLimits } from './limits'
import { findExisting, place, type PlaceNeeds } from './place'
import type { Progress } from './progress'
import { receive } from './receive'
import { Interrupted } from './settle'

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
  if (form.id !== row.form) await store.write(() => store.downloads.setForm(row.id, form.id))
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
