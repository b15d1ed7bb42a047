import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { DAY } from '../platform/clock'
import type { MediaFiles } from '../downloads/files'
import { typeByExtension } from '../feeds/enclosure'
import { createNames } from '../downloads/names'
import type { Store } from '../store'
import type { ExpectedFile } from '../store/health'
import { fine, problem, warning, type Finding } from './finding'

type Needs = { store: Store; files: MediaFiles; coverFolder: string; now: number; hasOtherAdmins: boolean }

/** The database, and whether the disk holds what it says. */
export function examineLibrary({ store, files, coverFolder, now, hasOtherAdmins }: Needs): Finding[] {
  const damage = store.health.damage()
  if (damage !== null) return [problem(`the database is damaged (${damage}): restore a backup`)]
  return [
    fine('the database is intact'),
    ...clock(store, now),
    ...admins(store, hasOtherAdmins),
    ...index(store),
    ...media(store, files, now),
    ...partFiles(store, files),
    ...covers(store, coverFolder),
    ...renames(store),
  ]
}

function clock(store: Store, now: number): Finding[] {
  const behind = store.health.latest() - now
  if (behind <= DAY) return []
  return [problem(`the clock is ${Math.ceil(behind / DAY)} days behind what the library has seen: set it right`)]
}

function admins(store: Store, hasOthers: boolean): Finding[] {
  if (store.health.admins() > 0 || hasOthers) return []
  return [problem('there is no admin: castellan users update NAME --role admin')]
}

function index(store: Store): Finding[] {
  if (!store.health.isIndexDamaged()) return [fine('the index of the search is intact')]
  return [
    problem('the index of the search is damaged', () => {
      store.inTransaction(() => store.health.emptyIndex())
      return 'is emptied, and filled again by the running server'
    }),
  ]
}

/** Files that are gone, cut short, or known to nobody. */
function media(store: Store, files: MediaFiles, now: number): Finding[] {
  const expected = store.health.files()
  if (!files.isPresent())
    return [
      problem(
        `the media folder ${files.root} is not the one of this library, or is not mounted: nothing is looked at there`,
      ),
    ]
  const findings: Finding[] = []
  const sizeOf = ({ file_path }: ExpectedFile) => statSync(files.pathOf(file_path), { throwIfNoEntry: false })?.size
  const gone = expected.filter(file => sizeOf(file) === undefined)
  const cut = expected.filter(file => file.file_size !== null && (sizeOf(file) ?? file.file_size) < file.file_size)
  const forget = (lost: readonly ExpectedFile[]) => () => {
    store.inTransaction(() => {
      for (const { id } of lost) store.episodes.dropFile(id)
    })
    return 'count as not downloaded now'
  }
  if (gone.length > 0) findings.push(problem(`files are gone: ${some(gone.map(file => file.file_path))}`, forget(gone)))
  if (cut.length > 0)
    findings.push(problem(`files are shorter than they were: ${some(cut.map(file => file.file_path))}`, forget(cut)))
  if (findings.length === 0) findings.push(fine(`all ${expected.length} media files are there`))

  const known = new Set(expected.map(file => file.file_path.toLowerCase()))
  const strays = filesBelow(files.root).filter(path => !known.has(path.toLowerCase()))
  const own = episodesOf(store, strays)
  if (own.length > 0)
    findings.push(
      warning(`files that belong to episodes are not known as downloaded: ${some(own.map(({ path }) => path))}`, () => {
        store.inTransaction(() => {
          for (const { id, path } of own) {
            const { size } = statSync(files.pathOf(path))
            const type = typeByExtension(`file:///${path}`) ?? 'audio/mpeg'
            store.episodes.keepFile(id, { path, size, type, duration: null, now })
          }
        })
        return 'are known as downloaded now'
      }),
    )
  const foreign = strays.length - own.length
  if (foreign > 0) {
    const taken = new Set(own.map(({ path }) => path))
    findings.push(
      warning(`files belong to no episode, and are left alone: ${some(strays.filter(path => !taken.has(path)))}`),
    )
  }
  return findings
}

/** Which of these files lie where an episode that is not downloaded would have its own. */
function episodesOf(store: Store, paths: readonly string[]): { id: number; path: string }[] {
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
  if (!files.isPresent()) return []
  const strays = files.strayParts(new Set(store.downloads.unfinishedEids()))
  if (strays.length === 0) return []
  return [
    warning(`${strays.length} unfinished files belong to no download`, () => {
      for (const eid of strays) rmSync(files.partOf(eid), { force: true })
      return 'are deleted'
    }),
  ]
}

function covers(store: Store, folder: string): Finding[] {
  const rows = store.health.covers()
  const gone = rows.filter(({ digest }) => !existsSync(join(folder, digest.slice(0, 2), digest)))
  const known = new Set(rows.map(({ digest }) => digest))
  const strays = filesBelow(folder).filter(path => !known.has(path.split('/').at(-1)!.split(/[.-]/, 1)[0]!))
  return [
    ...(gone.length === 0
      ? []
      : [
          warning(`${gone.length} covers are gone`, () => {
            store.inTransaction(() => {
              for (const { id } of gone) store.health.forgetCover(id)
            })
            return 'are fetched again by the running server'
          }),
        ]),
    ...(strays.length === 0
      ? []
      : [
          warning(`${strays.length} covers belong to no podcast`, () => {
            for (const path of strays) rmSync(join(folder, path), { force: true })
            return 'are deleted'
          }),
        ]),
  ]
}

function renames(store: Store): Finding[] {
  const isRunning = store.jobs.running().some(job => job.kind === 'rename')
  return isRunning ? [warning('a renaming of files was interrupted; the server goes on with it when it starts')] : []
}

/** Relative paths of all files, hidden ones left out. */
function filesBelow(root: string): string[] {
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .filter(path => !path.split('/').some(part => part.startsWith('.')))
}

const some = (paths: readonly string[]) =>
  `${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`
