export type Command = { name: 'serve'; configFile: string | null } | { name: 'help' } | { name: 'version' }

/** What the command line asks for; throws a sentence for what it does not understand. */
export function parseArguments(args: readonly string[]): Command {
  let configFile: string | null = null
  const rest = [...args]
  while (rest.length > 0) {
    const argument = rest.shift()!
    if (argument === '--help' || argument === '-h') return { name: 'help' }
    if (argument === '--version' || argument === '-v') return { name: 'version' }
    const [option, value] = argument.split(/=(.*)/s)
    if (option !== '--config') throw new Error(`unknown argument ${argument}; castellan --help lists what there is`)
    configFile = value ?? rest.shift() ?? null
    if (!configFile) throw new Error('--config needs a file')
  }
  return { name: 'serve', configFile }
}
