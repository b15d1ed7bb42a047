import fc from 'fast-check'
import {
  ConfigurationMistakes,
  parseEnvironmentFile,
  readConfig,
  variables,
  type Config,
} from '../../../src/server/config'
import { oddities } from '../mutate'
import { require, type Target } from '../target'

const likely = [
  'true',
  'false',
  '1',
  '0',
  '8000',
  'admin',
  'info',
  'json',
  '127.0.0.1',
  '10.0.0.0/8',
  '::1/128',
  'fd00::/8,1.2.3.4',
  'https://a.example',
  '/x',
  '/x/y/',
  'a'.repeat(32),
  'groups:admins',
  'X-User',
  '/nowhere',
  '/',
  './data',
  ' ',
]
const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...likely) },
  { weight: 1, arbitrary: fc.constantFrom(...oddities) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.oneof(fc.double(), fc.bigInt()).map(String) },
)
const secretFiles = [
  'PASSWORD_FILE',
  'API_KEY_FILE',
  'PODINDEX_API_KEY_FILE',
  'PODINDEX_API_SECRET_FILE',
  'SECRET_KEY_FILE',
]
const name = fc.constantFrom(...variables.map(({ name }) => name), ...secretFiles)

export const configuration: Target<Record<string, string>> = {
  name: 'configuration',
  inputs: fc.dictionary(name, value, { maxKeys: 8 }),
  check(env) {
    parseEnvironmentFile(
      Object.entries(env)
        .map(([name, value]) => `${name}=${value}`)
        .join('\n'),
    )
    const config = read(env)
    if (!config) return
    for (const name of [
      'port',
      'podcastLimit',
      'pollingMinutes',
      'parallelDownloads',
      'parallelRefreshes',
      'backupHours',
      'backupsKept',
    ] as const)
      require(Number.isSafeInteger(config[name]) && config[name] >= 0, `${name} is no whole number`, config[name])
    require(Number.isFinite(config.reserveBytes), 'the reserve is no number', config.reserveBytes)
    const served = new URL(`http://localhost${config.prefix}/ui/`)
    require(served.pathname === `${config.prefix}/ui/`, 'a prefix that no request can have', config.prefix)
    if (config.serverUrl !== null)
      require(URL.canParse(`${config.serverUrl}${config.prefix}/`), 'an address that is none', config.serverUrl)
  },
}

function read(env: Record<string, string>): Config | null {
  try {
    return readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigurationMistakes)) throw error
    require(error.mistakes.length > 0 && error.mistakes.every(Boolean), 'mistakes that say nothing')
    return null
  }
}
