import { rmSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import type { MediaFiles } from '../downloads/files'
import { createNames } from '../downloads/names'
import { typeByExtension } from '../feeds/enclosure'
import type { Store } from '../store'
import type { ExpectedFile } from '../store/health'
import { filesBelow } from './files-below'
import { fine, problem, some, warning, type Finding } from './finding'

/** A file on the disk, with the episode that it belongs to. */
type OwnFile = { id: number; path: string }

/** Compares the media folder with the library, both ways. */
export function examineMedia(store: Store, files: MediaFiles, now: number): Finding[] {
  if (!files.isPresent())
    return [
      problem(
        `the media folder ${files.root} is not that of this library, or is not mounted: its files are not examined`,
      ),
    ]
  const expected = store.health.files()
  return [...missing(store, files, expected), ...unknown(store, files, expected, now), ...partFiles(store, files)]
}

/** Finds files that are gone or cut short. */
function missing(store: Store, files: MediaFiles, expected: readonly ExpectedFile[]): Finding[] {
  const sizeOf = ({ file_path }: ExpectedFile) => statSync(files.pathOf(file_path), { throwIfNoEntry: false })?.size
  const gone = expected.filter(file => sizeOf(file) === undefined)
  const cut = expected.filter(file => file.file_size !== null && (sizeOf(file) ?? file.file_size) < file.file_size)
  if (gone.length + cut.length === 0) return [fine(`all ${expected.length} media files are there`)]
  const lost = (what: string, rows: readonly ExpectedFile[]) =>
    rows.length === 0
      ? []
      : [problem(`${what}: ${some(rows.map(file => file.file_path))}`, () => forgetFiles(store, rows))]
  return [...lost('files are gone', gone), ...lost('files are shorter than recorded', cut)]
}

function forgetFiles(store: Store, rows: readonly ExpectedFile[]): string {
  store.inTransaction(() => {
    for (const { id } of rows) store.episodes.dropFile(id)
  })
  return 'no longer recorded as downloaded'
}

/** Finds files that the library does not know. */
function unknown(store: Store, files: MediaFiles, expected: readonly ExpectedFile[], now: number): Finding[] {
  const known = new Set(expected.map(file => file.file_path.toLowerCase()))
  const strays = filesBelow(files.root).filter(path => !known.has(path.toLowerCase()))
  const own = ownFiles(store, strays)
  const ownPaths = new Set(own.map(({ path }) => path))
  const foreign = strays.filter(path => !ownPaths.has(path))
  return [
    ...(own.length === 0
      ? []
      : [
          warning(`files of episodes are not recorded as downloaded: ${some([...ownPaths])}`, () =>
            keepFiles(store, files, own, now),
          ),
        ]),
    ...(foreign.length === 0 ? [] : [warning(`files belong to no episode, and are left alone: ${some(foreign)}`)]),
  ]
}

function keepFiles(store: Store, files: MediaFiles, own: readonly OwnFile[], now: number): string {
  store.inTransaction(() => {
    for (const { id, path } of own) {
      const { size } = statSync(files.pathOf(path))
      const type = typeByExtension(`file:///${path}`) ?? 'audio/mpeg'
      store.episodes.keepFile(id, { path, size, type, duration: null, now })
    }
  })
  return 'recorded as downloaded'
}

/** Finds the files that lie where the download of an episode would put them. */
function ownFiles(store: Store, paths: readonly string[]): OwnFile[] {
  if (paths.length === 0) return []
  const names = createNames({ store })
  const free = new Map(paths.map(path => [path.toLowerCase(), path]))
  const extensions = new Set(paths.map(path => extname(path)))
  return store.podcasts.allWithFolders().flatMap(podcast => {
    if (!paths.some(path => path.startsWith(`${podcast.folder}/`))) return []
    const naming = names.namingOf(podcast.id)
    return store.episodes.withoutFilesOf(podcast.id).flatMap(episode => {
      for (const extension of extensions) {
        const key = names.pathFor(episode, podcast, extension, () => false, naming).toLowerCase()
        const path = free.get(key)
        free.delete(key)
        if (path !== undefined) return [{ id: episode.id, path }]
      }
      return []
    })
  })
}

function partFiles(store: Store, files: MediaFiles): Finding[] {
  const strays = files.strayParts(new Set(store.downloads.unfinishedEids()))
  if (strays.length === 0) return []
  return [
    warning(`${strays.length} unfinished files belong to no download`, () => {
      for (const eid of strays) rmSync(files.partOf(eid), { force: true })
      return 'deleted'
    }),
  ]
}
