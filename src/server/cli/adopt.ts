import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { isUsername } from '../../shared/username'
import { requireBuiltIn } from '../accounts/configured'
import type { Config } from '../config'
import { DATABASE_FILE, openDataFolder } from '../data-folder'
import { type FileWay, fileWays } from '../moving/needs'
import { inspectPodfetch, type PodfetchFolder } from '../moving/podfetch-folder'
import { systemClock } from '../platform/clock'
import { SECRET_BYTES } from '../platform/secret'
import { isOfLivingProcess, nameOfThisProcess } from '../platform/instance-lock'
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
