import { resolve } from 'node:path'
import { type FileWay, fileWays } from '../moving/needs'
import { UsageError } from './arguments'
import { readOptions } from './read-options'

export const adoptUsage = `castellan adopt-podfetch FOLDER [--user NAME] [--dry-run] [--files WAY] [--outside]
    FOLDER     its working directory, with .env, podcast.db and podcasts
    --user     whose account receives what belongs to nobody by name
    --dry-run  reports the result and which variables to set; changes nothing
    --files    link (the default; copies where no link can be made), copy or move
    --outside  allows absolute paths in its .env outside of FOLDER`

export type AdoptOptions = {
  folder: string
  user: string | null
  isDryRun: boolean
  way: FileWay
  mayLeave: boolean
}

/** Reads the arguments after `castellan adopt-podfetch`. Throws `UsageError`. */
export function parseAdoptCommand(args: readonly string[]): AdoptOptions {
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
