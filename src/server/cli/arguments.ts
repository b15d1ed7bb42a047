export type Command = { configFile: string | null } & (
  | { name: 'serve' }
  | { name: 'help' }
  | { name: 'version' }
  /** Everything behind `users`. */
  | { name: 'users'; args: readonly string[] }
)

/** A command line that is not understood, in a sentence that says what is. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** What the command line asks for; throws `UsageError` for what it does not understand. */
export function parseArguments(args: readonly string[]): Command {
  let configFile: string | null = null
  const rest = [...args]
  while (rest.length > 0) {
    const argument = rest.shift()!
    if (argument === '--help' || argument === '-h') return { name: 'help', configFile }
    if (argument === '--version' || argument === '-v') return { name: 'version', configFile }
    if (argument === 'users') return { name: 'users', args: rest, configFile }
    const [option, value] = argument.split(/=(.*)/s)
    if (option !== '--config')
      throw new UsageError(`unknown argument ${argument}; castellan --help lists what there is`)
    configFile = value ?? rest.shift() ?? null
    if (!configFile) throw new UsageError('--config needs a file')
  }
  return { name: 'serve', configFile }
}
