import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnvironmentFile } from './reader'
import { type Joined, mistakesInFile } from './settings'

/** The file of the data folder with the answers to `castellan setup`. */
export const SETTINGS_FILE = 'settings.env'

/** Adds the answers to `castellan setup`. Whatever the environment or a `--config` file sets takes precedence. */
export function addChosen({ values, mistakes }: Joined): Joined {
  const path = join(resolve(values['DATA_DIRECTORY']?.trim() || './data'), SETTINGS_FILE)
  if (!existsSync(path)) return { values, mistakes }
  const text = readFileSync(path, 'utf8')
  const joined = { ...values }
  // Compose files pass variables on that nobody has set: they are empty.
  for (const [name, value] of Object.entries(parseEnvironmentFile(text)))
    if (!joined[name]?.trim() && name !== 'DATA_DIRECTORY') joined[name] = value
  return { values: joined, mistakes: [...mistakes, ...mistakesInFile({ path, text })] }
}
