import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sha, type Hosts } from './hosts'
import type { MediaBucket } from './places'

export type EpisodeRow = {
  eid: string
  feed_url: string
  enclosure_url: string
  file_path: string | null
  file_size: number | null
  file_storage: 'folder' | 's3'
}
export type DownloadRow = { eid: string; state: string; target_path: string | null }

type Needs = {
  hosts: Hosts
  media: string
  bucket: MediaBucket | null
  query: <T>(sql: string) => T[]
  episodes: () => EpisodeRow[]
  downloads: () => DownloadRow[]
}

/** A file of either storage; `mark` differs once it was written again. */
type Found = { size: number; mark: string; modified: number; bytes: () => Promise<Uint8Array | null> }

const TRIES = 5
export const timeOf = (moment: number) => new Date(moment).toISOString().slice(11, 23)

/** Compares the files of the media folder and of the bucket with the rows. */
export function createMediaCheck({ hosts, media, bucket, query, episodes, downloads }: Needs) {
  /** Files that were read already, as they were then. */
  const seen = new Set<string>()
  let checkedBytes = 0

  const list = (path: string) => (existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [])
  const parts = () => list(join(media, '.partial')).map(name => name.replace(/\.part$/, ''))

  function inFolder(): Map<string, Found> {
    const found = list(media).flatMap(path => {
      const stat = path.startsWith('.') ? undefined : statSync(join(media, path), { throwIfNoEntry: false })
      if (!stat?.isFile()) return []
      // Undoing a move deletes files while they are read.
      const bytes = () =>
        Bun.file(join(media, path))
          .bytes()
          .catch(() => null)
      return [[path, { size: stat.size, mark: String(stat.mtimeMs), modified: stat.mtimeMs, bytes }] as const]
    })
    return new Map(found)
  }

  async function inBucket(): Promise<Map<string, Found>> {
    const found = [...((await bucket?.files()) ?? [])].map(([path, { size, etag, modified }]) => {
      const bytes = () => bucket!.bytes(path)
      return [path, { size, mark: `${etag} ${modified}`, modified, bytes }] as const
    })
    return new Map(found)
  }

  /** Files that the server is about to delete. */
  const forgotten = () => query<{ path: string }>('SELECT path FROM forgotten_file').map(({ path }) => path)

  /** Files of episodes, and of podcasts that are removed. */
  const claimed = () =>
    query<{ path: string }>(
      'SELECT file_path AS path FROM episode WHERE file_path IS NOT NULL UNION ALL SELECT path FROM kept_file',
    ).map(({ path }) => path)

  const everywhere = async () => ({ folder: inFolder(), s3: await inBucket() })

  /** Whole files for what counts as downloaded, and none that nobody knows. */
  async function compare(): Promise<string[]> {
    const wrong: string[] = []
    const [unfinished, rows, downloaded] = [parts(), downloads(), episodes()]
    const found = await everywhere()
    for (const eid of unfinished)
      if (!rows.some(row => eid.startsWith(row.eid))) wrong.push(`the unfinished ${eid} belongs to no download`)
    const known = new Set([...rows.map(row => row.target_path), ...claimed(), ...forgotten()])
    for (const { eid, enclosure_url, file_path, file_size, file_storage } of downloaded) {
      if (file_path === null) continue
      const file = found[file_storage].get(file_path)
      const mark = `${file_storage} ${file_path} ${file?.mark} ${enclosure_url}`
      if (!file) wrong.push(`${eid} counts as downloaded, and ${file_path} is gone`)
      else if (file.size !== file_size) wrong.push(`${file_path} has ${file.size} bytes, not ${file_size}`)
      else if (!seen.has(mark) && sha((await file.bytes()) ?? new Uint8Array()) !== hosts.digestOf(enclosure_url))
        wrong.push(`${file_path} is not what its host sent`)
      else if (!seen.has(mark)) {
        checkedBytes += file.size
        seen.add(mark)
      }
    }
    for (const [storage, files] of Object.entries(found))
      for (const [path, { modified }] of files)
        if (!known.has(path)) wrong.push(`${path} (${storage}, of ${timeOf(modified)}) belongs to nobody`)
    return wrong
  }

  /** Files and rows are read one after the other while downloads go on: what is wrong has to stay wrong. */
  async function wrong(): Promise<string[]> {
    let lasting = await compare()
    for (let time = 1; time < TRIES && lasting.length > 0; time++) {
      await Bun.sleep(200)
      const again = await compare()
      lasting = lasting.filter(text => again.includes(text))
    }
    return lasting
  }

  /** Lists what a start has to end: deletions, copies, and uploads that began before it. */
  async function unfinished(startedAt: number): Promise<string[]> {
    // The clock of the service knows whole seconds.
    const old = ((await bucket?.uploads()) ?? []).filter(({ begun }) => begun < startedAt - 1000)
    return [
      ...old.map(({ path }) => `an upload of ${path} was begun before the start`),
      // In a bucket they are deleted twice, a minute apart.
      ...(bucket === null ? forgotten() : []).map(path => `${path} was to be deleted`),
      ...query<{ path: string }>('SELECT path FROM media_copy').map(
        ({ path }) => `${path} is a copy that nobody ended`,
      ),
    ]
  }

  /** Deletes files that were stored after the moment to which a library was restored; returns how many. */
  async function removeLost(since: number): Promise<number> {
    // Listed before the rows are read: what is uploaded meanwhile is named by a row before it is there.
    const found = (await bucket?.files()) ?? []
    const known = new Set([...downloads().map(row => row.target_path), ...episodes().map(row => row.file_path)])
    let count = 0
    for (const [path, { modified }] of found) {
      if (known.has(path) || modified < since - 1000) continue
      await bucket!.remove(path)
      count++
    }
    return count
  }

  return { parts, wrong, unfinished, removeLost, checkedBytes: () => checkedBytes }
}
