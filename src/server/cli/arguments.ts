const commands = ['users', 'backup', 'restore', 'doctor'] as const

export type Command = { configFile: string | null } & (
  | { name: 'serve' }
  | { name: 'help' }
  | { name: 'version' }
  /** `args`: everything behind it. */
  | { name: (typeof commands)[number]; args: readonly string[] }
)

/** A command line that is not understood, in a sentence that says what is. */
export class UsageError extends Error {
  override name = 'UsageError'
  constructor(
    reason: string,
    /** How it is done, in lines of its own. */
    readonly usage = '',
  ) {
    super(reason)
  }
}

const isHelp = (argument: string) => argument === '--help' || argument === '-h'

/** What the command line asks for; throws `UsageError` for what it does not understand. */
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
    if (option !== '--config')
      throw new UsageError(`unknown argument ${argument}; castellan --help lists what there is`)
    configFile = value ?? rest.shift() ?? null
    if (!configFile) throw new UsageError('--config needs a file')
  }
  return { name: 'serve', configFile }
}
