import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve, isAbsolute, relative } from 'node:path'
import { isUsername } from '../../shared/username'
import { requireBuiltIn } from '../accounts/configured'
import { type Config, parseEnvironmentFile, secretVariables, variables, type Environment } from '../config'
import { DATABASE_FILE, openDataFolder } from '../data-folder'
import { isBelow } from '../moving/files/find-file'
import { type FileWay, fileWays, type FolderPair } from '../moving/needs'
import { text } from '../moving/sources/source'
import { systemClock } from '../platform/clock'
import { isOfLivingProcess, nameOfThisProcess } from '../platform/instance-lock'
import { SECRET_BYTES } from '../platform/secret'
import { readOptions, UsageError } from './arguments'
import { importFile } from './import'
import type { Print } from './terminal'

export const adoptUsage = `castellan adopt-podfetch FOLDER [--user NAME] [--dry-run] [--files WAY] [--outside]
    FOLDER     its working directory, with .env, podcast.db and podcasts
    --user     the account that receives what has no named owner there
    --dry-run  reports the result and which variables to set; changes nothing
    --files    link (the default; copies if a link can't be made), copy or move
    --outside  allows absolute paths in its .env that lead out of FOLDER`

/**
 * Imports a PodFetch of this machine with its media, for someone who replaces it with this server. Returns whether it
 * finished. Throws as `runImportCommand` does.
 */
export async function runAdoptCommand(args: readonly string[], config: Config, print: Print): Promise<boolean> {
  const { folder, user, isDryRun, way, mayLeave } = parseAdoptCommand(args)
  const found = inspectPodfetch(folder, mayLeave)
  printFound(found, config, way, print)
  const options = {
    file: found.database,
    list: null,
    login: null,
    from: 'podfetch',
    user: user ?? adminNameOf(config, found),
    isDryRun,
    withUsers: true,
    files: { folders: [found.media], way },
  }
  if (existsSync(join(config.dataFolder, DATABASE_FILE))) return importFile(options, config, print)
  if (isDryRun) return withEmptyLibrary(config, found, empty => importFile(options, empty, print))
  print(`Creating a new database, ${join(config.dataFolder, DATABASE_FILE)}\n`)
  createLibrary(config, found)
  return importFile(options, config, print)
}

/** The name of the admin: as configured here, else as it was there; null = the server has no sign-in. */
const adminNameOf = (config: Config, { username }: PodfetchFolder) =>
  config.username ?? (username !== null && isUsername(username) ? username : null)

/** Creates a library whose admin has the name that the admin has there. */
function createLibrary(config: Config, found: PodfetchFolder) {
  const { store } = openDataFolder(config.dataFolder, config)
  try {
    requireBuiltIn(store, { ...config, username: adminNameOf(config, found) }, systemClock)
  } finally {
    store.close()
  }
}

const DRY_RUN = 'castellan-dry-run'

/** Removes libraries of earlier dry runs that were killed. */
function removeLeftBehind() {
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name)
    if (!name.startsWith(`${DRY_RUN}-`) || isOfLivingProcess(name)) continue
    if (lstatSync(path).uid === process.getuid?.()) rmSync(path, { recursive: true, force: true })
  }
}

async function withEmptyLibrary<T>(config: Config, found: PodfetchFolder, work: (config: Config) => Promise<T>) {
  removeLeftBehind()
  const dataFolder = join(tmpdir(), nameOfThisProcess(DRY_RUN))
  mkdirSync(dataFolder, { mode: 0o700 })
  try {
    // Its secret is only in memory.
    const secretKey = config.secretKey ?? crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
    const empty = { ...config, dataFolder, secretKey, replicaUrl: null }
    createLibrary(empty, found)
    return await work(empty)
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

function printFound(found: PodfetchFolder, { dataFolder, podcastFolder }: Config, way: string, print: Print) {
  const { environmentFile, database, media, kept, unknown } = found
  print(`PodFetch's database is ${database}`)
  print(`Its media are in ${media.to}`)
  if (environmentFile === null) print('It has no .env: if its variables are set elsewhere, copy them from there.')
  print('\nStart Castellan with these variables:')
  print(`  DATA_DIRECTORY=${dataFolder}`)
  print(`  PODCAST_DIRECTORY=${podcastFolder}`)
  for (const { name, value } of kept)
    print(`  ${name}${value === null ? ` as it is in ${environmentFile}` : `=${value}`}`)
  if (unknown.length > 0) print(`These have no meaning here: ${unknown.join(', ')}`)
  if (way === 'link' && diskOf(podcastFolder) !== diskOf(media.to))
    print('PODCAST_DIRECTORY is on another disk than the media: the files are copied.')
  print('')
}

/** The disk of a folder, or of the nearest existing one above it. */
function diskOf(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.dev ?? diskOf(dirname(folder))
}

type AdoptOptions = {
  folder: string
  user: string | null
  isDryRun: boolean
  way: FileWay
  mayLeave: boolean
}

/** Reads the arguments after `castellan adopt-podfetch`. Throws `UsageError`. */
function parseAdoptCommand(args: readonly string[]): AdoptOptions {
  const { positionals, values } = parse(args)
  const [folder, ...others] = positionals
  if (!folder) throw new UsageError('adopt-podfetch needs the folder of PodFetch', adoptUsage)
  if (others.length > 0) throw new UsageError(`Unexpected "${others[0]}"`, adoptUsage)
  const way = fileWays.find(one => one === (values.files ?? 'link'))
  if (!way) throw new UsageError(`--files is one of ${fileWays.join(', ')}`, adoptUsage)
  return {
    folder: resolve(folder),
    user: values.user ?? null,
    isDryRun: values['dry-run'] ?? false,
    way,
    mayLeave: values.outside ?? false,
  }
}

const parse = (args: readonly string[]) =>
  readOptions(
    args,
    {
      user: { type: 'string' },
      'dry-run': { type: 'boolean' },
      files: { type: 'string' },
      outside: { type: 'boolean' },
    },
    adoptUsage,
  )

/** A PodFetch on this machine: its real paths, and what its `.env` says. */
type PodfetchFolder = {
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
 * them, perhaps against the person's intention. Throws `UsageError`.
 */
function inspectPodfetch(folder: string, mayLeave: boolean): PodfetchFolder {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`There is no folder ${folder}`)
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
  if (!isBelow(root, realpathSync(path))) throw new UsageError(`${path} leads out of ${root}`)
  if (found.size > MAX_BYTES) throw new UsageError(`${path} has ${found.size} bytes, more than ${MAX_BYTES}`)
  return { path, values: parseEnvironmentFile(readFileSync(path, 'utf8')) }
}

/** The path of the database as given, or where it usually is. */
function databaseOf(root: string, { DATABASE_URL }: Environment): string {
  const address = DATABASE_URL?.trim()
  if (!address) return existsSync(join(root, 'podcast.db')) ? 'podcast.db' : 'db/podcast.db'
  const path = /^sqlite:(?:\/\/)?(.+)$/i.exec(address)?.[1]
  // The address is not repeated: it may hold a password.
  if (!path) throw new UsageError('DATABASE_URL names no SQLite database: those of PostgreSQL and MySQL cannot be read')
  return path.split('?', 1)[0]!
}

function findPlace(root: string, given: string, name: string, mayLeave: boolean): string {
  const inContainer = given.startsWith(CONTAINER) && !existsSync(given)
  const path = resolve(root, inContainer ? given.slice(CONTAINER.length) : given)
  if (!existsSync(path)) throw new UsageError(`${name}: there is no ${path}`)
  const real = realpathSync(path)
  if (isBelow(root, real) || (mayLeave && (isAbsolute(given) || !relative(root, path).startsWith('..')))) return real
  throw new UsageError(
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
