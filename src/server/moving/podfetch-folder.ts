import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { parseEnvironmentFile, secretVariables, variables, type Environment } from '../config'
import { isBelow } from './files/find-file'
import type { FolderPair } from './needs'
import { MoveRefused } from './item'
import { text } from './sources/source'

/** A PodFetch on this machine: its real paths, and what its `.env` says. */
export type PodfetchFolder = {
  /** Null = there is none, and its defaults count. */
  environmentFile: string | null
  username: string | null
  database: string
  media: FolderPair
  /** Its variables that mean the same here; null = a secret, which is not repeated. */
  kept: { name: string; value: string | null }[]
  /** The names of its other variables. */
  unknown: string[]
}

const MAX_BYTES = 64 * 1024
/** The working directory of its container: a path below it means the folder given on the host. */
const CONTAINER = '/app/'
const own = new Set(['DATABASE_URL', 'PODFETCH_FOLDER'])
/** Places of the server itself, which will be new. */
const places = new Set(['DATA_DIRECTORY', 'PODCAST_DIRECTORY', 'HOST', 'PORT'])

/**
 * Looks into the working directory of a PodFetch. Paths that lead out of it count only if `mayLeave`: the file names
 * them, perhaps against the person's intention. Throws `MoveRefused`.
 */
export function inspectPodfetch(folder: string, mayLeave: boolean): PodfetchFolder {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new MoveRefused(`There is no folder ${folder}`)
  const root = realpathSync(folder)
  const { path: environmentFile, values } = readEnvironment(root)
  const place = (given: string, name: string) => findPlace(root, given, name, mayLeave)
  const media = values.PODFETCH_FOLDER?.trim() || 'podcasts'
  return {
    environmentFile,
    username: text(values.USERNAME, 64),
    database: place(databaseOf(root, values), 'DATABASE_URL'),
    media: { from: media, to: place(media, 'PODFETCH_FOLDER') },
    ...sortVariables(values),
  }
}

function readEnvironment(root: string): { path: string | null; values: Environment } {
  const path = join(root, '.env')
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile()) return { path: null, values: {} }
  if (!isBelow(root, realpathSync(path))) throw new MoveRefused(`${path} leads out of ${root}`)
  if (found.size > MAX_BYTES) throw new MoveRefused(`${path} has ${found.size} bytes, more than ${MAX_BYTES}`)
  return { path, values: parseEnvironmentFile(readFileSync(path, 'utf8')) }
}

/** The path of the database as given, or where it usually is. */
function databaseOf(root: string, { DATABASE_URL }: Environment): string {
  const address = DATABASE_URL?.trim()
  if (!address) return existsSync(join(root, 'podcast.db')) ? 'podcast.db' : 'db/podcast.db'
  const path = /^sqlite:(?:\/\/)?(.+)$/i.exec(address)?.[1]
  // The address is not repeated: it may hold a password.
  if (!path)
    throw new MoveRefused('DATABASE_URL names no SQLite database: those of PostgreSQL and MySQL cannot be read')
  return path.split('?', 1)[0]!
}

function findPlace(root: string, given: string, name: string, mayLeave: boolean): string {
  const inContainer = given.startsWith(CONTAINER) && !existsSync(given)
  const path = resolve(root, inContainer ? given.slice(CONTAINER.length) : given)
  if (!existsSync(path)) throw new MoveRefused(`${name}: there is no ${path}`)
  const real = realpathSync(path)
  if (isBelow(root, real) || (mayLeave && (isAbsolute(given) || !relative(root, path).startsWith('..')))) return real
  throw new MoveRefused(
    mayLeave
      ? `${name} leads to ${real}: outside of ${root} only an absolute path counts`
      : `${name} leads to ${real}, outside of ${root}. If that is right, say --outside.`,
  )
}

function sortVariables(values: Environment): Pick<PodfetchFolder, 'kept' | 'unknown'> {
  const known = new Set(variables.map(({ name }) => name).filter(name => !places.has(name)))
  const secret = new Set<string>(secretVariables)
  const names = Object.keys(values).filter(name => !own.has(name) && !places.has(name) && text(values[name]) !== null)
  return {
    kept: names
      .filter(name => known.has(name))
      .map(name => ({ name, value: secret.has(name) ? null : text(values[name]) })),
    unknown: names.filter(name => !known.has(name)),
  }
}
