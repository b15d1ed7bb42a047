import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { resolve } from 'node:path'
import { isUsername } from '../shared/username'
import { logLevels, type LogFormat, type LogLevel } from './platform/log'

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
  /** Nobody signs in: every request is the built-in admin's. */
  isOpen: boolean
  /** The name of the built-in admin; null = none was given. */
  username: string | null
  password: string | null
  oidc: Readonly<OidcSettings> | null
  proxy: Readonly<ProxySettings> | null
  /** Names that a proxy signs in, or subjects of the provider, which are admin. */
  admins: readonly string[]
  /** Of the account that the configuration names. */
  apiKey: string | null
  /** Podcasts that a plain user may add. */
  podcastLimit: number
  /** Podcast apps may sync. */
  sync: boolean
  podindex: Readonly<{ key: string; secret: string }> | null
  allowedNetworks: readonly Network[]
  pollingMinutes: number
  parallelDownloads: number
  parallelRefreshes: number
  reserveBytes: number
  /** Hours between scheduled backups; 0 = none. */
  backupHours: number
  /** Scheduled backups that are kept. */
  backupsKept: number
  tls: Readonly<{ cert: string; key: string }> | null
  logLevel: LogLevel
  logFormat: LogFormat
}>

export type OidcSettings = {
  authority: string
  clientId: string
  /** Null = the interface under the address that the browser came by. */
  redirectUri: string | null
  scope: string
  /** Null = as discovery says. */
  jwksUri: string | null
  /** A claim and the value in it that make an admin. */
  adminClaim: Readonly<{ name: string; value: string }> | null
}

export type ProxySettings = { header: string; autoSignUp: boolean }

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
  {
    name: 'HOST',
    default: '',
    meaning: 'address to listen on; unset: 127.0.0.1 in open mode, 0.0.0.0 with sign-in',
  },
  { name: 'PORT', default: '8000', meaning: 'port to listen on; 0 takes a free one' },
  { name: 'DATA_DIRECTORY', default: './data', meaning: 'database, covers and backups' },
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
  { name: 'BACKUP_INTERVAL', default: '24', meaning: 'hours between scheduled backups; 0 makes none' },
  { name: 'BACKUP_KEEP', default: '7', meaning: 'scheduled backups that are kept' },
  { name: 'TLS_CERT', default: '', meaning: 'certificate file (PEM), for https without a proxy' },
  { name: 'TLS_KEY', default: '', meaning: 'key file (PEM) of that certificate' },
  { name: 'BASIC_AUTH', default: 'false', meaning: 'sign-in by user name and password' },
  { name: 'USERNAME', default: 'admin', meaning: 'the admin that the configuration names' },
  { name: 'PASSWORD', default: '', meaning: 'the password of that admin; a new one counts from the next start' },
  { name: 'OIDC_AUTH', default: 'false', meaning: 'single sign-on by OpenID Connect' },
  { name: 'OIDC_AUTHORITY', default: '', meaning: 'address of the provider' },
  { name: 'OIDC_CLIENT_ID', default: '', meaning: 'id of this client at the provider' },
  { name: 'OIDC_REDIRECT_URI', default: '<address>/ui/', meaning: 'where the provider sends people back to' },
  { name: 'OIDC_SCOPE', default: 'openid profile email', meaning: 'what to ask the provider for' },
  { name: 'OIDC_JWKS', default: '', meaning: 'address of the key set, where discovery does not find it' },
  { name: 'OIDC_ADMIN_CLAIM', default: '', meaning: 'claim and value that make an admin, such as groups:admins' },
  { name: 'REVERSE_PROXY', default: 'false', meaning: 'a proxy signs people in' },
  { name: 'REVERSE_PROXY_HEADER', default: 'X-Forwarded-User', meaning: 'the header with the name of who signed in' },
  { name: 'REVERSE_PROXY_AUTO_SIGN_UP', default: 'false', meaning: 'make an account for a name not seen before' },
  { name: 'ADMINS', default: '', meaning: 'names from the proxy, or subjects of the provider, that are admin' },
  { name: 'API_KEY', default: '', meaning: 'API key of the admin that the configuration names: 32 hex digits' },
  { name: 'USER_PODCAST_LIMIT', default: '0', meaning: 'podcasts that a plain user may add' },
  {
    name: 'PODINDEX_API_KEY',
    default: '',
    meaning: 'key for searching the Podcast Index; without it iTunes is searched',
  },
  { name: 'PODINDEX_API_SECRET', default: '', meaning: 'secret of that key' },
  {
    name: 'GPODDER_INTEGRATION_ENABLED',
    default: 'true',
    meaning: 'podcast apps may sync; never in open mode, where nobody has a name',
  },
  { name: 'LOG_LEVEL', default: 'info', meaning: logLevels.join(', ') },
  { name: 'LOG_FORMAT', default: 'text', meaning: 'text or json' },
]

/** Hashing what is longer would be work for whoever sends it. */
export const MAX_PASSWORD_BYTES = 256

/** These may also be given as `NAME_FILE`, the path of a file that holds the value. */
const secrets = ['PASSWORD', 'API_KEY', 'PODINDEX_API_KEY', 'PODINDEX_API_SECRET']

/** Reads everything, and reports every mistake at once by throwing `ConfigurationMistakes`. */
export function readConfig(env: Environment): Config {
  const mistakes: string[] = []
  const given = { ...env }
  for (const name of secrets) given[name] = readSecretFile(name, env, mistakes) ?? env[name]
  const text = (name: string, fallback = '') => given[name]?.trim() || fallback
  const flag = (name: string, fallback = false) => {
    const value = text(name, String(fallback)).toLowerCase()
    if (['true', '1', 'yes', 'on'].includes(value)) return true
    if (!['false', '0', 'no', 'off'].includes(value)) mistakes.push(`${name} is "${value}", expected true or false`)
    return false
  }

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
    if (Number.isFinite(value * 1e9) && value >= 0) return Math.round(value * 1e9)
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

  const basic = flag('BASIC_AUTH')
  const oidc = flag('OIDC_AUTH') ? readOidc(text, mistakes) : null
  const proxy = flag('REVERSE_PROXY')
    ? { header: text('REVERSE_PROXY_HEADER', 'X-Forwarded-User'), autoSignUp: flag('REVERSE_PROXY_AUTO_SIGN_UP') }
    : null
  if (proxy && !/^[\w-]+$/.test(proxy.header))
    mistakes.push(`REVERSE_PROXY_HEADER is "${proxy.header}", expected the name of a header`)
  const isOpen = !basic && !oidc && !proxy
  const username = text('USERNAME') || null
  if (username !== null && !isUsername(username))
    mistakes.push(`USERNAME is "${username}", expected 1 to 64 characters without : and /, and not "me"`)
  // Kept as it stands: a password may begin or end with a space.
  const password = given['PASSWORD'] ?? ''
  if (basic && password === '') mistakes.push('BASIC_AUTH is on, so PASSWORD (or PASSWORD_FILE) must be set')
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES)
    mistakes.push(`PASSWORD is longer than ${MAX_PASSWORD_BYTES} bytes`)
  const apiKey = text('API_KEY').toLowerCase()
  if (apiKey !== '' && !/^[0-9a-f]{32}$/.test(apiKey))
    mistakes.push('API_KEY is not a key: expected 32 hex digits, as `openssl rand -hex 16` makes them')

  const dataFolder = resolve(text('DATA_DIRECTORY', './data'))
  const cert = text('TLS_CERT')
  const key = text('TLS_KEY')
  if ((cert === '') !== (key === '')) mistakes.push('TLS_CERT and TLS_KEY belong together: set both or neither')

  const podindex = { key: text('PODINDEX_API_KEY'), secret: text('PODINDEX_API_SECRET') }
  if ((podindex.key === '') !== (podindex.secret === ''))
    mistakes.push('PODINDEX_API_KEY and PODINDEX_API_SECRET belong together: set both or neither')

  const config: Config = Object.freeze({
    host: text('HOST', isOpen ? '127.0.0.1' : '0.0.0.0'),
    port: integer('PORT', 8000, 0, 65535),
    dataFolder,
    podcastFolder: resolve(text('PODCAST_DIRECTORY', `${dataFolder}/podcasts`)),
    prefix: readPrefix(text('SUB_DIRECTORY'), mistakes),
    serverUrl: readServerUrl(text('SERVER_URL'), mistakes),
    trustedProxies: networks('TRUSTED_PROXIES', '127.0.0.0/8,::1/128'),
    isOpen,
    sync: !isOpen && flag('GPODDER_INTEGRATION_ENABLED', true),
    username,
    password: basic ? password : null,
    oidc,
    proxy,
    admins: text('ADMINS')
      .split(',')
      .map(name => name.trim())
      .filter(Boolean),
    apiKey: apiKey || null,
    podindex: podindex.key ? podindex : null,
    podcastLimit: integer('USER_PODCAST_LIMIT', 0, 0, 1_000_000),
    allowedNetworks: networks('ALLOWED_NETWORKS', ''),
    pollingMinutes: integer('POLLING_INTERVAL', 60, 1, 10080),
    parallelDownloads: integer('MAX_PARALLEL_DOWNLOADS', 3, 1, 50),
    parallelRefreshes: integer('MAX_PARALLEL_REFRESHES', 16, 1, 200),
    reserveBytes: gigabytes('DISK_RESERVE', 1),
    backupHours: integer('BACKUP_INTERVAL', 24, 0, 8760),
    backupsKept: integer('BACKUP_KEEP', 7, 1, 1000),
    tls: cert && key ? { cert, key } : null,
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
    logFormat: oneOf('LOG_FORMAT', ['text', 'json'] as const, 'text'),
  })
  if (mistakes.length > 0) throw new ConfigurationMistakes(mistakes)
  return config
}

function readOidc(text: (name: string, fallback?: string) => string, mistakes: string[]): OidcSettings {
  const address = (name: string, isNeeded: boolean) => {
    const value = text(name)
    if (value === '' && !isNeeded) return null
    if (/^https?:\/\//.test(value) && URL.canParse(value)) return value
    mistakes.push(`${name} is "${value}", expected an address such as https://login.example`)
    return null
  }
  const clientId = text('OIDC_CLIENT_ID')
  if (clientId === '') mistakes.push('OIDC_AUTH is on, so OIDC_CLIENT_ID must be set')
  const claim = text('OIDC_ADMIN_CLAIM')
  // Some providers name their claims by addresses: https://pod.example/groups:admins.
  const [, name, value] = /^(https?:\/\/[^:]+|[^:]+):(.+)$/.exec(claim) ?? []
  if (claim !== '' && !name)
    mistakes.push(`OIDC_ADMIN_CLAIM is "${claim}", expected a claim and a value: groups:admins`)
  return {
    authority: (address('OIDC_AUTHORITY', true) ?? '').replace(/(?<!\/)\/+$/, ''),
    clientId,
    redirectUri: address('OIDC_REDIRECT_URI', false),
    scope: text('OIDC_SCOPE', 'openid profile email'),
    jwksUri: address('OIDC_JWKS', false),
    adminClaim: name && value ? { name, value } : null,
  }
}

function readSecretFile(name: string, env: Environment, mistakes: string[]): string | null {
  const path = env[`${name}_FILE`]?.trim()
  if (!path) return null
  if (env[name]) mistakes.push(`${name} and ${name}_FILE are both set: set one of them`)
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    mistakes.push(`${name}_FILE is ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})`)
    return null
  }
}

function parseNetwork(text: string): Network | null {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  if (!ipaddr.isValid(text)) return null
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function readPrefix(given: string, mistakes: string[]): string {
  const bare = given.replace(/^\/+|(?<!\/)\/+$/g, '')
  if (bare === '') return ''
  const isPath = /^[\w.~-]+(\/[\w.~-]+)*$/.test(bare) && !bare.split('/').some(part => /^\.+$/.test(part))
  if (isPath) return `/${bare}`
  mistakes.push(`SUB_DIRECTORY is "${given}", expected a path such as /castellan`)
  return ''
}

function readServerUrl(given: string, mistakes: string[]): string | null {
  if (given === '') return null
  const url = URL.parse(given)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return given.replace(/(?<!\/)\/+$/, '')
  mistakes.push(`SERVER_URL is "${given}", expected an address such as https://podcasts.example`)
  return null
}

/** The `NAME=value` lines of a file given by `--config`; quotes around a value and `#` lines are understood. */
export function parseEnvironmentFile(text: string): Environment {
  const lines = text.split(/\r?\n/).map(line => /^(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/.exec(line.trim()))
  return Object.fromEntries(
    lines.flatMap(match => (match ? [[match[1]!, match[2]!.trim().replace(/^(["'])(.*)\1$/, '$2')]] : [])),
  )
}
