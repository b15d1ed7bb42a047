import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type FileOptions, type FileWay, fileWays, type FolderPair, serverNames } from '../moving/needs'
import { sources, titlesOfFiles } from '../moving/sources'
import { readOptions, UsageError } from './arguments'

export const importUsage = `castellan import FILE|FOLDER [--with LIST] [--from NAME] [--title T] [--user NAME] [--with-users] [--dry-run] [--files-from [A=]FOLDER]… [--files WAY]
castellan import ADDRESS --user-name NAME [--password-file FILE] [--with-files] [--from NAME] [--user NAME] [--dry-run]
    FILE          a file of ${titlesOfFiles}; or a zip file with one of these
    FOLDER        a folder of audio files: one podcast, or one for each folder in it
    ADDRESS       a Castellan, a server with gPodder's API, a Nextcloud with GPodder Sync, or an Audiobookshelf
    --with        an OPML list that belongs to the file: Pocket Casts needs it
    --user-name, --password-file
                  who signs in to that server; without a file, the password is read from IMPORT_PASSWORD or a prompt;
                  for a Castellan, an API key is accepted as the password
    --with-files  also fetches the files of another Castellan
    --title       the podcast's title; all of FOLDER becomes one podcast
    --from        the program, if it isn't recognised: ${sources.map(({ name }) => name).join(', ')};
                  for an address, the API to use: ${serverNames.join(', ')}
    --user        the account that receives it; needed with several accounts
    --with-users  creates accounts for people without one here, with roles and passwords; --user must be an admin
    --dry-run     reports the result; changes nothing
    --files-from  also imports its files; those whose path begins with A are in FOLDER
    --files       link (the default; copies if a link can't be made), copy or move
castellan import --undo [ID] [--user NAME]
    undoes an import within a day; without ID, the latest`

export type ImportOptions = {
  /** The path of a file, or of a folder of audio files, or the address of a server. */
  file: string
  /** The path of a list of feeds that belongs to the file. */
  list: string | null
  /** Name and password file for the server; null = it is a file. */
  login: { user: string; passwordFile: string | null } | null
  from: string | null
  user: string | null
  isDryRun: boolean
  /** Whether people without an account get one. */
  withUsers: boolean
  files: FileOptions | null
  /** A folder, and the title for all of it. */
  folder?: { title: string | null; way: FileWay }
  /** Whether a server sends its files, too. */
  withFiles?: boolean
}

/** The id of an import; null = the latest. */
export type UndoOptions = { id: number | null; user: string | null }

/** Reads the arguments after `castellan import`. Throws `UsageError`. */
export function parseImportCommand(args: readonly string[]): ImportOptions | { undo: UndoOptions } {
  const { positionals, values } = parse(args)
  if (values.undo) return { undo: parseUndo(positionals, values) }
  const [file, ...others] = positionals
  if (!file) throw new UsageError('import needs a file', importUsage)
  if (others.length > 0) throw new UsageError(`Unexpected "${others[0]}"`, importUsage)
  const from = values.from ?? null
  const login = readLogin(file, values['user-name'], values['password-file'])
  const names: readonly string[] = login ? serverNames : sources.map(({ name }) => name)
  if (from !== null && !names.includes(from)) throw new UsageError(`--from is one of ${names.join(', ')}`, importUsage)
  const common = {
    from,
    user: values.user ?? null,
    isDryRun: values['dry-run'] ?? false,
    withUsers: values['with-users'] ?? false,
  }
  return login ? readServer(file, login, common, values) : readFile(resolve(file), common, values)
}

type Common = Pick<ImportOptions, 'from' | 'user' | 'isDryRun' | 'withUsers'>

function readFile(file: string, common: Common, values: Values): ImportOptions {
  const list = values.with === undefined ? null : resolve(values.with)
  if (values['with-files']) throw new UsageError('--with-files belongs to the address of a Castellan', importUsage)
  const pairs = values['files-from'] ?? []
  const way = readWay(values.files)
  if (isFolder(file)) {
    if (common.from !== null || list !== null || pairs.length > 0)
      throw new UsageError(`${file} is a folder: --from, --with and --files-from are for files`, importUsage)
    const folder = { title: values.title?.trim() || null, way }
    return { ...common, file, list, login: null, files: null, folder }
  }
  if (values.title !== undefined) throw new UsageError('--title is for a folder of audio files', importUsage)
  if (pairs.length === 0 && values.files !== undefined) throw new UsageError('--files needs --files-from', importUsage)
  return {
    ...common,
    file,
    list,
    login: null,
    files: pairs.length === 0 ? null : { folders: pairs.map(readPair), way },
  }
}

type Login = NonNullable<ImportOptions['login']>

function readServer(file: string, login: Login, common: Common, values: Values): ImportOptions {
  if (values.with !== undefined) throw new UsageError('--with belongs to a file, not to a server', importUsage)
  if (values['files-from'] || values.files !== undefined || values.title !== undefined)
    throw new UsageError('--files-from, --files and --title are for files and folders', importUsage)
  return { ...common, file, login, list: null, files: null, withFiles: values['with-files'] ?? false }
}

function readLogin(file: string, user: string | undefined, passwordFile: string | undefined): ImportOptions['login'] {
  if (/^https?:\/\//i.test(file)) {
    if (!user) throw new UsageError('Name the account on the server with --user-name', importUsage)
    return { user, passwordFile: passwordFile === undefined ? null : resolve(passwordFile) }
  }
  if (user !== undefined || passwordFile !== undefined)
    throw new UsageError('--user-name and --password-file belong to the address of a server, https://…', importUsage)
  return null
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

function readWay(given = 'link'): FileWay {
  const found = fileWays.find(one => one === given)
  if (found) return found
  throw new UsageError(`--files is one of ${fileWays.join(', ')}`, importUsage)
}

/** Reads `PREFIX=FOLDER` or `FOLDER`. */
function readPair(given: string): FolderPair {
  const at = given.indexOf('=')
  const to = resolve(given.slice(at + 1))
  if (!isFolder(to)) throw new UsageError(`--files-from: there is no folder ${to}`, importUsage)
  return { from: at === -1 ? '' : given.slice(0, at), to }
}

function parseUndo(positionals: readonly string[], { user, from, 'dry-run': isDryRun }: Values): UndoOptions {
  const [id, ...others] = positionals
  if (from !== undefined || isDryRun) throw new UsageError('--undo takes an ID and --user only', importUsage)
  if (others.length > 0) throw new UsageError(`Unexpected "${others[0]}"`, importUsage)
  if (id !== undefined && !/^\d{1,15}$/.test(id))
    throw new UsageError(`"${id}" is not the ID of an import`, importUsage)
  return { id: id === undefined ? null : Number(id), user: user ?? null }
}

type Values = ReturnType<typeof parse>['values']

const parse = (args: readonly string[]) =>
  readOptions(
    args,
    {
      from: { type: 'string' },
      user: { type: 'string' },
      'dry-run': { type: 'boolean' },
      'files-from': { type: 'string', multiple: true },
      files: { type: 'string' },
      title: { type: 'string' },
      undo: { type: 'boolean' },
      with: { type: 'string' },
      'user-name': { type: 'string' },
      'password-file': { type: 'string' },
      'with-users': { type: 'boolean' },
      'with-files': { type: 'boolean' },
    },
    importUsage,
  )
