import { parseEnvironmentFile, type Environment } from './reader'
import { secretVariables, variables } from './variables'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** PodFetch's names, which are read if ours is not set. */
const alsoRead = ['S3_URL']
/** Other programs use these, and names that resemble them. */
const proxyVariables = ['PROXY', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']
const own = variables.map(({ name }) => name)
const secrets = secretVariables.map(name => `${name}_FILE`)
const lowerCase = proxyVariables.map(name => name.toLowerCase())
const known = new Set([...own, ...alsoRead, ...secrets, ...lowerCase])
const suggested = new Set([...own, ...secrets].filter(name => !proxyVariables.includes(name)))
const reduce = (name: string) =>
  name.toUpperCase().replaceAll('_', '').replace(/DIR$/, 'DIRECTORY').replace(/IES$/, 'Y').replace(/S$/, '')
/** Reduced once: a container may have hundreds of variables that describe its neighbours. The first of two wins. */
const byReduced = new Map(
  [...suggested]
    .filter(({ length }) => length > 5)
    .reverse()
    .map(name => [reduce(name), name]),
)
/** Variables that Kubernetes and Docker links set in a container for a service named castellan, or castellan-something. */
const injected =
  /^CASTELLAN_(\w+_)?(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO|START|END))*|NAME|ENV_\w+)$/

export type Joined = { values: Environment; mistakes: string[] }

/**
 * Joins the environment with a `--config` file, if there is one; the environment takes precedence. `mistakes` has a
 * sentence for each line and each name without a meaning. The environment also contains other programs' variables, so
 * there only names that resemble ours count.
 */
export function joinSettings(environment: Environment, file: { path: string; text: string } | null): Joined {
  const mistakes = Object.entries(environment).flatMap(([name, value]) =>
    value?.trim() ? explainForeign(name, value) : [],
  )
  if (!file) return { values: environment, mistakes }
  const inFile = parseEnvironmentFile(file.text)
  mistakes.unshift(...mistakesInFile(file))
  // Desktops set USERNAME in the environment; the one in the file is meant for Castellan.
  const values = { ...inFile, ...environment }
  const turnsOn = ['BASIC_AUTH', 'OIDC_AUTH', 'REVERSE_PROXY']
  if (inFile['USERNAME']?.trim() && turnsOn.every(name => !values[name]?.trim()))
    mistakes.push('USERNAME needs a way to sign in: set BASIC_AUTH=true and PASSWORD')
  return { values, mistakes }
}

export function mistakesInFile({ path, text }: { path: string; text: string }): string[] {
  const seen = new Map<string, number>()
  return text.split(/\r?\n/).flatMap((raw, index) => {
    const line = raw.trim()
    const place = `${path}, line ${index + 1}`
    if (line === '' || line.startsWith('#')) return []
    const [, name, rest] = /^(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/.exec(line) ?? []
    // The line is not repeated: it may be the end of a secret.
    if (name === undefined) return [`${place} is not a setting, expected NAME=value`]
    const first = seen.get(name)
    seen.set(name, first ?? index + 1)
    return [
      ...(known.has(name) ? [] : [`${place}: ${unknown(name)}`]),
      ...(first === undefined ? [] : [`${place}: ${name} is already set in line ${first}, expected it once`]),
      ...(isWellQuoted(rest!.trim())
        ? []
        : [`${place}: the value of ${name} begins or ends with a quote, expected none, or the same at both ends`]),
    ]
  })
}

/** Returns whether a value has no quotes around it, or a pair. A quote only at the end may belong to a password. */
function isWellQuoted(value: string): boolean {
  const quote = /^["']/.exec(value)?.[0]
  return quote === undefined || (value.length > 1 && value.endsWith(quote))
}

function explainForeign(name: string, value: string): string[] {
  if (known.has(name)) return []
  if (!/^castellan_/i.test(name)) return nearest(name) === null ? [] : [unknown(name)]
  const isInjected = injected.test(name) || (/^CASTELLAN_(\w+_)?PORT$/.test(name) && /^(tcp|udp|sctp):/.test(value))
  return isInjected ? [] : [unknown(name)]
}

function unknown(name: string): string {
  const near = nearest(name.replace(/^castellan_/i, ''))
  return near === null
    ? `${name} is not a variable of Castellan, see castellan --help`
    : `${name} is not a variable of Castellan: did you mean ${near}?`
}

/**
 * Finds the variable that a name was probably meant to be: spelling, plural, underscores, case, `DIR`, or an
 * unsupported `_FILE`.
 */
function nearest(name: string): string | null {
  const upper = name.toUpperCase()
  const exact = [upper, upper.replace(/_FILE$/, '')].find(one => suggested.has(one))
  if (exact) return exact
  const reduced = reduce(name)
  if (proxyVariables.some(one => reduce(one) === reduced)) return null
  const slipped = () => [...suggested].find(one => isWithin(slipsIn(one, upper), one, upper))
  return byReduced.get(reduced) ?? slipped() ?? null
}

/** Short names resemble many names of other programs: HOST and HOSTS, API_KEY and APP_KEY. */
function slipsIn(own: string, { length }: string): number {
  if (own.length < 8) return 0
  return own.length >= 12 && length >= 12 ? 2 : 1
}

/** Whether at most `slips` letters added, dropped, changed or swapped with a neighbour turn one name into the other. */
function isWithin(slips: number, one: string, other: string): boolean {
  if (slips === 0 || Math.abs(one.length - other.length) > slips) return false
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  let leastAbove = 0
  for (let row = 1; row <= one.length; row++) {
    const above = rows[row - 1]!
    const here = [row]
    let least = row
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      here[column] = Math.min(above[column]! + 1, here[column - 1]! + 1, above[column - 1]! + (isSame ? 0 : 1))
      if (one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        here[column] = Math.min(here[column]!, (rows[row - 2]?.[column - 2] ?? 3) + 1)
      least = Math.min(least, here[column]!)
    }
    // No row has a smaller number than the least of the two before it.
    if (Math.min(leastAbove, least) > slips) return false
    leastAbove = least
    rows.push(here)
  }
  return rows[one.length]![other.length]! <= slips
}

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
