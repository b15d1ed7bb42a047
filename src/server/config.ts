import ipaddr from 'ipaddr.js'
import { resolve } from 'node:path'
import { logLevels, type LogFormat, type LogLevel } from './log'

type Network = ReturnType<typeof ipaddr.parseCIDR>

export type Config = Readonly<{
  host: string
  port: number
  dataFolder: string
  podcastFolder: string
  /** Empty, or `/path` without a slash at the end. */
  prefix: string
  /** Where people find us, without a slash at the end; null = as the request says. */
  serverUrl: string | null
  trustedProxies: readonly Network[]
  allowedNetworks: readonly Network[]
  pollingMinutes: number
  parallelDownloads: number
  parallelRefreshes: number
  reserveBytes: number
  tls: Readonly<{ cert: string; key: string }> | null
  logLevel: LogLevel
  logFormat: LogFormat
}>

export type Environment = Record<string, string | undefined>

export class ConfigurationMistakes extends Error {
  override name = 'ConfigurationMistakes'
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'))
  }
}

type Variable = { name: string; default: string; meaning: string }

/** Every variable, its default and meaning: `--help` and `docs/configuration.md` are made from it. */
export const variables: readonly Variable[] = [
  { name: 'HOST', default: '127.0.0.1', meaning: 'address to listen on; 0.0.0.0 or :: for all' },
  { name: 'PORT', default: '8000', meaning: 'port to listen on; 0 takes a free one' },
  { name: 'DATA_DIRECTORY', default: './data', meaning: 'database and covers' },
  { name: 'PODCAST_DIRECTORY', default: '<data>/podcasts', meaning: 'the downloaded media' },
  { name: 'SUB_DIRECTORY', default: '', meaning: 'path prefix behind a proxy, such as /castellan' },
  { name: 'SERVER_URL', default: '', meaning: 'public address, for proxies that send no X-Forwarded headers' },
  {
    name: 'TRUSTED_PROXIES',
    default: 'loopback',
    meaning: 'networks (CIDR, comma-separated) whose X-Forwarded headers count',
  },
  {
    name: 'ALLOWED_NETWORKS',
    default: '',
    meaning: 'private networks (CIDR, comma-separated) in which anyone may add feeds',
  },
  { name: 'POLLING_INTERVAL', default: '60', meaning: 'minutes between checks of a feed, the base of its schedule' },
  { name: 'MAX_PARALLEL_DOWNLOADS', default: '3', meaning: 'downloads at once, one for each host' },
  { name: 'MAX_PARALLEL_REFRESHES', default: '16', meaning: 'feeds checked at once, two for each host' },
  { name: 'DISK_RESERVE', default: '1', meaning: 'gigabytes that downloads never touch' },
  { name: 'TLS_CERT', default: '', meaning: 'certificate file (PEM), for https without a proxy' },
  { name: 'TLS_KEY', default: '', meaning: 'key file (PEM) of that certificate' },
  { name: 'LOG_LEVEL', default: 'info', meaning: logLevels.join(', ') },
  { name: 'LOG_FORMAT', default: 'text', meaning: 'text or json' },
]

// Whoever sets these expects a locked door: starting an open server instead would be the worst answer.
const signInVariables = ['BASIC_AUTH', 'OIDC_AUTH', 'REVERSE_PROXY']

/** Reads everything, and reports every mistake at once by throwing `ConfigurationMistakes`. */
export function readConfig(env: Environment): Config {
  const mistakes: string[] = []
  const text = (name: string, fallback = '') => env[name]?.trim() || fallback

  const integer = (name: string, fallback: number, min: number, max: number) => {
    const given = text(name, String(fallback))
    const value = Number(given)
    if (Number.isInteger(value) && value >= min && value <= max) return value
    mistakes.push(`${name} is "${given}", expected a whole number from ${min} to ${max}`)
    return fallback
  }
  const gigabytes = (name: string, fallback: number) => {
    const given = text(name, String(fallback))
    const value = Number(given)
    if (Number.isFinite(value) && value >= 0) return Math.round(value * 1e9)
    mistakes.push(`${name} is "${given}", expected a number of gigabytes, such as 1 or 0.5`)
    return 0
  }
  const oneOf = <T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const given = text(name, fallback).toLowerCase() as T
    if (allowed.includes(given)) return given
    mistakes.push(`${name} is "${given}", expected one of ${allowed.join(', ')}`)
    return fallback
  }
  const networks = (name: string, fallback: string) =>
    text(name, fallback)
      .split(',')
      .map(part => part.trim())
      .filter(Boolean)
      .flatMap(part => {
        const network = parseNetwork(part)
        if (!network) mistakes.push(`${name} holds "${part}", expected a network such as 192.168.1.0/24 or fd00::/8`)
        return network ? [network] : []
      })

  for (const name of signInVariables)
    if (isOn(text(name)))
      mistakes.push(`${name} is on, but this version has no sign-in yet: unset it to run in open mode`)

  const dataFolder = resolve(text('DATA_DIRECTORY', './data'))
  const cert = text('TLS_CERT')
  const key = text('TLS_KEY')
  if ((cert === '') !== (key === '')) mistakes.push('TLS_CERT and TLS_KEY belong together: set both or neither')

  const config: Config = Object.freeze({
    host: text('HOST', '127.0.0.1'),
    port: integer('PORT', 8000, 0, 65535),
    dataFolder,
    podcastFolder: resolve(text('PODCAST_DIRECTORY', `${dataFolder}/podcasts`)),
    prefix: readPrefix(text('SUB_DIRECTORY'), mistakes),
    serverUrl: readServerUrl(text('SERVER_URL'), mistakes),
    trustedProxies: networks('TRUSTED_PROXIES', '127.0.0.0/8,::1/128'),
    allowedNetworks: networks('ALLOWED_NETWORKS', ''),
    pollingMinutes: integer('POLLING_INTERVAL', 60, 1, 10080),
    parallelDownloads: integer('MAX_PARALLEL_DOWNLOADS', 3, 1, 50),
    parallelRefreshes: integer('MAX_PARALLEL_REFRESHES', 16, 1, 200),
    reserveBytes: gigabytes('DISK_RESERVE', 1),
    tls: cert && key ? { cert, key } : null,
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
    logFormat: oneOf('LOG_FORMAT', ['text', 'json'] as const, 'text'),
  })
  if (mistakes.length > 0) throw new ConfigurationMistakes(mistakes)
  return config
}

const isOn = (value: string) => ['true', '1', 'yes', 'on'].includes(value.toLowerCase())

function parseNetwork(text: string): Network | null {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (!ipaddr.isValid(text)) return null
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function readPrefix(given: string, mistakes: string[]): string {
  const bare = given.replace(/^\/+|\/+$/g, '')
  if (bare === '') return ''
  if (/^[\w.~-]+(\/[\w.~-]+)*$/.test(bare)) return `/${bare}`
  mistakes.push(`SUB_DIRECTORY is "${given}", expected a path such as /castellan`)
  return ''
}

function readServerUrl(given: string, mistakes: string[]): string | null {
  if (given === '') return null
  const url = URL.parse(given)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return given.replace(/\/+$/, '')
  mistakes.push(`SERVER_URL is "${given}", expected an address such as https://podcasts.example`)
  return null
}

/** The `NAME=value` lines of a file given by `--config`; quotes around a value and `#` lines are understood. */
export function parseEnvironmentFile(text: string): Environment {
  const lines = text.split(/\r?\n/).map(line => /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line))
  return Object.fromEntries(
    lines.flatMap(match => (match ? [[match[1]!, match[2]!.replace(/^(["'])(.*)\1$/, '$2')]] : [])),
  )
}
