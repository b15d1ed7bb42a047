import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Environment, parseEnvironmentFile } from './reader'
import { type Joined, mistakesInFile } from './settings'

/** The file of the data folder with the answers to `castellan setup`. */
export const SETTINGS_FILE = 'settings.env'

/** Adds the answers to `castellan setup`. Whatever the environment or a `--config` file sets takes precedence. */
export function addChosen({ values, mistakes }: Joined): Joined {
  const path = join(resolve(values['DATA_DIRECTORY']?.trim() || './data'), SETTINGS_FILE)
  if (!existsSync(path)) return { values, mistakes }
  const text = readFileSync(path, 'utf8')
  const { DATA_DIRECTORY: _, ...answers } = parseEnvironmentFile(text)
  return { values: overAnswers(values, answers), mistakes: [...mistakes, ...mistakesInFile({ path, text })] }
}

/** Lays an environment over answers. Compose files pass variables on that nobody has set: empty ones change nothing. */
export function overAnswers(values: Environment, answers: Environment): Environment {
  const given = Object.entries(values).filter(([name, value]) => value?.trim() || !(name in answers))
  return { ...answers, ...Object.fromEntries(given) }
}
