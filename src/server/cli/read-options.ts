import { parseArgs, type ParseArgsConfig } from 'node:util'
import { UsageError } from './arguments'

/** Reads options and the words between them. Throws `UsageError`, with the usage of the command. */
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
