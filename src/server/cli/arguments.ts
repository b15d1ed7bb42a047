import { parseArgs, type ParseArgsConfig } from 'node:util'

export const commands = [
  'setup',
  'demo',
  'init',
  'users',
  'podcasts',
  'backup',
  'restore',
  'secret',
  'doctor',
  'health',
  'update',
  'import',
  'adopt-podfetch',
  'export',
  'media',
] as const

export type CommandName = (typeof commands)[number]

type Command = { configFile: string | null } & (
  | { name: 'serve' }
  /** `of`: the command whose help is wanted; null = the whole. */
  | { name: 'help'; of: CommandName | null }
  | { name: 'version' }
  | { name: 'licenses' }
  /** `args`: everything after the name of the command. */
  | { name: CommandName; args: readonly string[] }
)

/** An error in how a command was called; the message is for people. */
export class UsageError extends Error {
  override name = 'UsageError'
  constructor(
    reason: string,
    /** The usage of the command, printed below the message; empty = none. */
    readonly usage = '',
  ) {
    super(reason)
  }
}

const isHelp = (argument: string) => argument === '--help' || argument === '-h'

const isConfig = (argument: string) => argument === '--config' || argument.startsWith('--config=')

/** Takes `--config FILE` or `--config=FILE` out of arguments, and returns the file. Throws `UsageError` without one. */
function takeFile(args: string[], place: number): string {
  const isJoined = args[place] !== '--config'
  const [option, next] = args.splice(place, isJoined ? 1 : 2)
  const file = isJoined ? option!.slice('--config='.length) : next
  if (!file) throw new UsageError('--config needs a file')
  return file
}

/**
 * Parses the command line: options, then a command with its own arguments, of which `--config` may be one; no command =
 * serve. Throws `UsageError`.
 */
export function parseArguments(args: readonly string[]): Command {
  let configFile: string | null = null
  const rest = [...args]
  while (rest.length > 0) {
    const argument = rest.shift()!
    if (isHelp(argument)) return { name: 'help', of: null, configFile }
    if (argument === '--version' || argument === '-v') return { name: 'version', configFile }
    if (argument === '--licenses') return { name: 'licenses', configFile }
    const name = commands.find(command => command === argument)
    if (name) {
      const own = rest.indexOf('--') === -1 ? rest : rest.slice(0, rest.indexOf('--'))
      const place = own.findIndex(isConfig)
      if (place !== -1) configFile = takeFile(rest, place)
      return rest.some(isHelp) ? { name: 'help', of: name, configFile } : { name, args: rest, configFile }
    }
    if (!isConfig(argument)) throw new UsageError(`unknown argument ${argument}. See castellan --help.`)
    rest.unshift(argument)
    configFile = takeFile(rest, 0)
  }
  return { name: 'serve', configFile }
}

/** Reads a command's options and the words between them. Throws `UsageError`, with the usage of the command. */
export function readOptions<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    throw new UsageError((error as Error).message, usage)
  }
}
