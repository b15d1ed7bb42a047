const commands = [
  'init',
  'users',
  'podcasts',
  'backup',
  'restore',
  'secret',
  'doctor',
  'import',
  'adopt-podfetch',
  'export',
  'media',
] as const

export type CommandName = (typeof commands)[number]

type Command = { configFile: string | null } & (
  | { name: 'serve' }
  | { name: 'help' }
  | { name: 'version' }
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

/** Describes a missing database, most often a command that reads another configuration than the server. */
export const noDatabase = (path: string) =>
  new UsageError(`No database at ${path}. Give the command the same DATA_DIRECTORY or --config as the server.`)

const isHelp = (argument: string) => argument === '--help' || argument === '-h'

/** Parses the command line: options, then a command with its own arguments; no command = serve. Throws `UsageError`. */
export function parseArguments(args: readonly string[]): Command {
  let configFile: string | null = null
  const rest = [...args]
  while (rest.length > 0) {
    const argument = rest.shift()!
    if (isHelp(argument)) return { name: 'help', configFile }
    if (argument === '--version' || argument === '-v') return { name: 'version', configFile }
    const name = commands.find(command => command === argument)
    if (name) return rest.some(isHelp) ? { name: 'help', configFile } : { name, args: rest, configFile }
    const [option, value] = argument.split(/=(.*)/s)
    if (option !== '--config') throw new UsageError(`unknown argument ${argument}. See castellan --help.`)
    configFile = value ?? rest.shift() ?? null
    if (!configFile) throw new UsageError('--config needs a file')
  }
  return { name: 'serve', configFile }
}
