import { rmSync } from 'node:fs'
import { extname } from 'node:path'
import { createNames } from '../../downloads/names'
import { typeOfFile } from '../../feeds/parse/items'
import { describeError } from '../../platform/log'
import type { MediaFiles, MediaStorage, StorageName } from '../../storage'
import type { Store } from '../../store'
import type { ExpectedFile } from '../../store/upkeep'
import { counted, fine, problem, some, warning, type Finding } from './folders'

/** A file in a storage that the library has not recorded, and the id of the episode it belongs to. */
type UnrecordedFile = { id: number; path: string }

/** A storage with the sizes of all its files by their paths. */
type Listed = { storage: MediaStorage; sizes: ReadonlyMap<string, number>; where: string }

/** Compares the storages with the library: files that are gone, files that are not recorded, unfinished files. */
export async function examineMedia(store: Store, files: MediaFiles, now: number): Promise<Finding[]> {
  const findings = files.folder.isPresent()
    ? [...(await examineStorage(store, files.folder, 'the media folder', now)), ...checkUnfinished(store, files)]
    : [
        problem(
          `the media folder ${files.folder.root} does not belong to this library, or is not mounted: its files are not examined`,
        ),
      ]
  return [...findings, ...(await examineBucket(store, files, now))]
}

async function examineBucket(store: Store, files: MediaFiles, now: number): Promise<Finding[]> {
  const { bucket } = files
  if (bucket === null) {
    if (!store.episodes.storagesInUse().includes('s3')) return []
    return [
      problem('media files are on S3, and the configuration names no bucket: set S3_ENDPOINT, S3_BUCKET and its key'),
    ]
  }
  const wrong = await bucket.ask()
  return wrong === null
    ? examineStorage(store, bucket, 'the bucket', now)
    : [problem(`the bucket cannot be reached, so its files are not examined: ${wrong}`)]
}

async function examineStorage(store: Store, storage: MediaStorage, where: string, now: number): Promise<Finding[]> {
  const expected = store.health.files().filter(file => file.file_storage === storage.name)
  try {
    const sizes = new Map<string, number>()
    for await (const { path, size } of storage.list()) sizes.set(path, size)
    const listed = { storage, sizes, where }
    return [...(await checkRecorded(store, listed, expected)), ...checkUnrecorded(store, listed, expected, now)]
  } catch (error) {
    return [problem(`${where} cannot be listed: ${describeError(error)}`)]
  }
}

/** Finds recorded files that are gone or truncated. */
async function checkRecorded(
  store: Store,
  { storage, sizes, where }: Listed,
  expected: readonly ExpectedFile[],
): Promise<Finding[]> {
  const gone: ExpectedFile[] = []
  const truncated: ExpectedFile[] = []
  for (const file of expected) {
    // On a disk that ignores case, a file may be listed in another.
    const size = sizes.get(file.file_path) ?? (await storage.sizeOf(file.file_path))
    if (size === null) gone.push(file)
    else if (file.file_size !== null && size < file.file_size) truncated.push(file)
  }
  if (gone.length + truncated.length === 0) return [fine(`all ${expected.length} media files of ${where} are there`)]
  const report = (what: string, rows: readonly ExpectedFile[]) =>
    rows.length === 0
      ? []
      : [problem(`${what}: ${some(rows.map(file => file.file_path))}`, () => forgetFiles(store, rows))]
  return [...report('files are gone', gone), ...report('files are shorter than recorded', truncated)]
}

/** Records episodes as not downloaded. */
function forgetFiles(store: Store, rows: readonly ExpectedFile[]): string {
  store.inTransaction(() => {
    for (const { id } of rows) store.episodes.dropFile(id)
  })
  return 'no longer recorded as downloaded'
}

/** Finds files that the library has not recorded. Those of an episode can be recorded, others are left alone. */
function checkUnrecorded(
  store: Store,
  { storage, sizes }: Listed,
  expected: readonly ExpectedFile[],
  now: number,
): Finding[] {
  const recorded = new Set(expected.map(file => file.file_path.toLowerCase()))
  const strays = [...sizes.keys()].filter(path => !recorded.has(path.toLowerCase()) && !store.sidecars.isOurs(path))
  const found = matchEpisodes(store, strays)
  const foundPaths = new Set(found.map(({ path }) => path))
  const foreign = strays.filter(path => !foundPaths.has(path))
  const keep = () => keepFiles(store, found, { storage: storage.name, sizes, now })
  return [
    ...(found.length === 0
      ? []
      : [warning(`files of episodes are not recorded as downloaded: ${some([...foundPaths])}`, keep)]),
    ...(foreign.length === 0 ? [] : [warning(`files belong to no episode, and are left alone: ${some(foreign)}`)]),
  ]
}

/** Records files as downloaded, with the type of their extension. */
function keepFiles(
  store: Store,
  found: readonly UnrecordedFile[],
  { storage, sizes, now }: { storage: StorageName; sizes: ReadonlyMap<string, number>; now: number },
): string {
  store.inTransaction(() => {
    for (const { id, path } of found) {
      const type = typeOfFile(path) ?? 'audio/mpeg'
      store.episodes.keepFile(id, { storage, path, size: sizes.get(path)!, type, duration: null, now })
    }
  })
  return 'recorded as downloaded'
}

/** Finds the episodes whose download would put a file at one of these paths; their case is ignored. */
function matchEpisodes(store: Store, paths: readonly string[]): UnrecordedFile[] {
  if (paths.length === 0) return []
  const names = createNames({ store })
  const unmatched = new Map(paths.map(path => [path.toLowerCase(), path]))
  const extensions = new Set(paths.map(path => extname(path)))
  return store.podcasts.allWithFolders().flatMap(podcast => {
    if (!paths.some(path => path.startsWith(`${podcast.folder}/`))) return []
    const naming = names.namingOf(podcast.id)
    return store.episodes.withoutFilesOf(podcast.id).flatMap(episode => {
      for (const extension of extensions) {
        const key = names.pathFor(episode, podcast, extension, () => false, naming).toLowerCase()
        const path = unmatched.get(key)
        unmatched.delete(key)
        if (path !== undefined) return [{ id: episode.id, path }]
      }
      return []
    })
  })
}

/** Finds `.part` files of downloads that no longer exist. */
function checkUnfinished(store: Store, files: MediaFiles): Finding[] {
  const strays = files.folder.strayParts(new Set(store.downloads.unfinishedEids()))
  if (strays.length === 0) return []
  return [
    warning(
      counted(strays.length, 'unfinished file belongs to no download', 'unfinished files belong to no download'),
      () => {
        for (const eid of strays) rmSync(files.folder.partOf(eid), { force: true })
        return 'deleted'
      },
    ),
  ]
}
