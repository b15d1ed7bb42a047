import { rmSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import type { MediaFiles } from '../downloads/files'
import { createNames } from '../downloads/names'
import { typeOfFile } from '../feeds/enclosure'
import type { Store } from '../store'
import type { ExpectedFile } from '../store/health'
import { filesBelow } from './files-below'
import { counted, fine, problem, some, warning, type Finding } from './finding'

/** A file on the disk that the library has not recorded, and the id of the episode it belongs to. */
type UnrecordedFile = { id: number; path: string }

/** Compares the media folder with the library: files that are gone, files that are not recorded, unfinished files. */
export function examineMedia(store: Store, files: MediaFiles, now: number): Finding[] {
  if (!files.isPresent())
    return [
      problem(
        `the media folder ${files.root} is not that of this library, or is not mounted: its files are not examined`,
      ),
    ]
  const expected = store.health.files()
  return [
    ...checkRecorded(store, files, expected),
    ...checkUnrecorded(store, files, expected, now),
    ...checkUnfinished(store, files),
  ]
}

/** Finds recorded files that are gone or truncated. */
function checkRecorded(store: Store, files: MediaFiles, expected: readonly ExpectedFile[]): Finding[] {
  const sizeOf = ({ file_path }: ExpectedFile) => statSync(files.pathOf(file_path), { throwIfNoEntry: false })?.size
  const gone = expected.filter(file => sizeOf(file) === undefined)
  const truncated = expected.filter(
    file => file.file_size !== null && (sizeOf(file) ?? file.file_size) < file.file_size,
  )
  if (gone.length + truncated.length === 0) return [fine(`all ${expected.length} media files are there`)]
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
function checkUnrecorded(store: Store, files: MediaFiles, expected: readonly ExpectedFile[], now: number): Finding[] {
  const recorded = new Set(expected.map(file => file.file_path.toLowerCase()))
  const strays = filesBelow(files.root).filter(path => !recorded.has(path.toLowerCase()))
  const found = matchEpisodes(store, strays)
  const foundPaths = new Set(found.map(({ path }) => path))
  const foreign = strays.filter(path => !foundPaths.has(path))
  return [
    ...(found.length === 0
      ? []
      : [
          warning(`files of episodes are not recorded as downloaded: ${some([...foundPaths])}`, () =>
            keepFiles(store, files, found, now),
          ),
        ]),
    ...(foreign.length === 0 ? [] : [warning(`files belong to no episode, and are left alone: ${some(foreign)}`)]),
  ]
}

/** Records files as downloaded, with the type of their extension. */
function keepFiles(store: Store, files: MediaFiles, found: readonly UnrecordedFile[], now: number): string {
  store.inTransaction(() => {
    for (const { id, path } of found) {
      const { size } = statSync(files.pathOf(path))
      const type = typeOfFile(path) ?? 'audio/mpeg'
      store.episodes.keepFile(id, { path, size, type, duration: null, now })
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
  const strays = files.strayParts(new Set(store.downloads.unfinishedEids()))
  if (strays.length === 0) return []
  return [
    warning(
      counted(strays.length, 'unfinished file belongs to no download', 'unfinished files belong to no download'),
      () => {
        for (const eid of strays) rmSync(files.partOf(eid), { force: true })
        return 'deleted'
      },
    ),
  ]
}
