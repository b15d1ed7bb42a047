import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { sources } from '../moving/sources'
import { UsageError } from './arguments'

export const importUsage = `castellan import FILE [--from NAME] [--user NAME] [--dry-run]
    FILE       of ${sources.map(({ title }) => title).join(', ')}
    --from     ${sources.map(({ name }) => name).join(', ')}
    --user     whose account receives it
    --dry-run  says what would come, and changes nothing`

export type ImportOptions = { file: string; from: string | null; user: string | null; isDryRun: boolean }

/** Reads the arguments after `castellan import`. Throws `UsageError`. */
export function parseImportCommand(args: readonly string[]): ImportOptions {
  const { positionals, values } = parse(args)
  const [file, ...others] = positionals
  if (!file) throw new UsageError('import needs a file', importUsage)
  if (others.length > 0) throw new UsageError(`Unexpected "${others[0]}"`, importUsage)
  const from = values.from ?? null
  if (from !== null && !sources.some(({ name }) => name === from))
    throw new UsageError(`--from is one of ${sources.map(({ name }) => name).join(', ')}`, importUsage)
  return { file: resolve(file), from, user: values.user ?? null, isDryRun: values['dry-run'] ?? false }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { from: { type: 'string' }, user: { type: 'string' }, 'dry-run': { type: 'boolean' } },
    })
  } catch (error) {
    throw new UsageError((error as Error).message, importUsage)
  }
}
