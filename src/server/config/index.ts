import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { StorageName } from '../store/file-place'
import { type LogFormat, type LogLevel, logLevels } from '../platform/log'
import { parseSecretText } from '../platform/secret'
import {
  createReader,
  readAddress,
  readChoice,
  readFlag,
  readGigabytes,
  readInteger,
  readList,
  readNetworks,
  readText,
  report,
  type Environment,
  type Network,
  type Reader,
} from './reader'
import {
  type BucketSettings,
  type Proxies,
  readMediaStorage,
  readProxies,
  readTranscription,
  type TranscriptionSettings,
} from './services'
import { readSignIn, signInSwitches, type OidcSettings, type ProxySettings } from './sign-in'

export { parseEnvironmentFile, type Environment } from './reader'
export { addChosen, type Joined, joinSettings, overAnswers, SETTINGS_FILE } from './settings'
export {
  DEFAULT_SCOPE,
  isStrongPassword,
  MAX_PASSWORD_BYTES,
  signInSwitches,
  type OidcSettings,
  type ProxySettings,
} from './sign-in'
export type { BucketSettings, Proxies, TranscriptionSettings } from './services'
export { secretVariables, variables } from './variables'

export type Config = Readonly<{
  host: string
  port: number
  dataFolder: string
  podcastFolder: string
  /** The storage of new media files. */
  mediaStorage: StorageName
  /** The bucket of media files, also while new ones go into the folder; null = none. */
  bucket: BucketSettings | null
  /** Empty, or `/path` without a slash at the end. */
  prefix: string
  /** The public address, without a slash at the end; null = taken from the request. */
  serverUrl: string | null
  trustedProxies: readonly Network[]
  /** Whether people sign in by password, be it in the configuration or in the library. */
  byPassword: boolean
  /** True for an empty data folder on an address that others reach, without a way to sign in: `castellan setup`. */
  needsSetup: boolean
  /** True when no way to sign in is configured: every request counts as the built-in admin's. */
  isOpen: boolean
  /** The name of the built-in admin; null = not given. */
  username: string | null
  /** The password of the built-in admin; null = the one in the library, or no sign-in with a password. */
  password: string | null
  oidc: Readonly<OidcSettings> | null
  proxy: Readonly<ProxySettings> | null
  /** The users who are admins: their names from the proxy, or their subjects (`sub`) from the OpenID provider. */
  admins: readonly string[]
  /** The API key of the built-in admin; null = not given. */
  apiKey: string | null
  /** Podcasts that each user with the role `user` may add; 0 = none. */
  podcastLimit: number
  /** Whether podcast apps may sync (gpodder API). */
  sync: boolean
  /** Whether people may show passages to strangers. */
  publicClips: boolean
  /** Whether apps of Audiobookshelf may sign in. */
  audiobookshelf: boolean
  /** Whether an API key is accepted from an assistant; null = if its user allows that. */
  assistantApiKeys: boolean | null
  podindex: Readonly<{ key: string; secret: string }> | null
  /** Path or address of the podcasts that an empty library offers; null = the charts of the directory. */
  starterOpml: string | null
  /** Private networks whose feeds every user may add; an admin may add those of any private network. */
  allowedNetworks: readonly Network[]
  /** The proxies for everything that is fetched, and those for podcasts: feeds, media, covers, directories. */
  proxies: Proxies
  podcastProxies: Proxies
  /** The server's secret; null = in a file of the data folder. */
  secretKey: Uint8Array | null
  /** Address of the replica that Litestream writes; null = none. */
  replicaUrl: string | null
  /** Minutes between checks of a feed. */
  pollingMinutes: number
  parallelDownloads: number
  parallelRefreshes: number
  /** Disk space that downloads leave free. */
  reserveBytes: number
  /** Hours between scheduled backups; 0 = none. */
  backupHours: number
  /** Days to keep the record of activity. */
  auditDays: number
  /** Scheduled backups to keep. */
  backupsKept: number
  /** The address that names the newest version; null = no check. */
  updateCheckUrl: string | null
  /** The speech server that transcribes; null = none. */
  transcription: TranscriptionSettings | null
  /** Paths of the PEM files; null = plain HTTP. */
  tls: Readonly<{ cert: string; key: string }> | null
  logLevel: LogLevel
  logFormat: LogFormat
}>

/** The mistakes in the configuration, one sentence each. */
export class ConfigurationMistakes extends Error {
  override name = 'ConfigurationMistakes'
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'))
  }
}

/**
 * Reads the configuration. Throws `ConfigurationMistakes` with all mistakes at once, those of `joinSettings` among them.
 */
export function readConfig(env: Environment, found: readonly string[] = []): Config {
  const reader = createReader(env)
  reader.mistakes.unshift(...found)
  const dataFolder = resolve(readText(reader, 'DATA_DIRECTORY', './data'))
  const hasLibrary = existsSync(join(dataFolder, 'castellan.db'))
  const signIn = readSignIn(reader, hasLibrary)
  const config: Config = Object.freeze({
    ...signIn,
    ...readHost(reader, signIn.isOpen, hasLibrary),
    port: readInteger(reader, 'PORT', 8000, 0, 65535),
    dataFolder,
    podcastFolder: resolve(readText(reader, 'PODCAST_DIRECTORY', `${dataFolder}/podcasts`)),
    ...readMediaStorage(reader),
    prefix: readPrefix(reader),
    serverUrl: readAddress(reader, 'SERVER_URL', 'https://podcasts.example')?.replace(/(?<!\/)\/+$/, '') ?? null,
    trustedProxies: readNetworks(reader, 'TRUSTED_PROXIES', '127.0.0.0/8,::1/128'),
    sync: !signIn.isOpen && readFlag(reader, 'GPODDER_INTEGRATION_ENABLED', true),
    publicClips: readFlag(reader, 'PUBLIC_CLIPS', true),
    audiobookshelf: readFlag(reader, 'AUDIOBOOKSHELF_API', !signIn.isOpen),
    assistantApiKeys: readText(reader, 'ASSISTANT_API_KEYS', '') === '' ? null : readFlag(reader, 'ASSISTANT_API_KEYS'),
    admins: readList(reader, 'ADMINS'),
    podindex: readPodindex(reader),
    starterOpml: readText(reader, 'STARTER_OPML', '') || null,
    podcastLimit: readInteger(reader, 'USER_PODCAST_LIMIT', 100, 0, 1_000_000),
    allowedNetworks: readNetworks(reader, 'ALLOWED_NETWORKS'),
    ...readProxies(reader),
    secretKey: readSecretKey(reader),
    replicaUrl: readReplicaUrl(reader),
    pollingMinutes: readInteger(reader, 'POLLING_INTERVAL', 60, 1, 10080),
    parallelDownloads: readInteger(reader, 'MAX_PARALLEL_DOWNLOADS', 3, 1, 50),
    parallelRefreshes: readInteger(reader, 'MAX_PARALLEL_REFRESHES', 16, 1, 200),
    reserveBytes: readGigabytes(reader, 'DISK_RESERVE', 1),
    auditDays: readInteger(reader, 'AUDIT_DAYS', 400, 1, 36_500),
    backupHours: readInteger(reader, 'BACKUP_INTERVAL', 24, 0, 8760),
    backupsKept: readInteger(reader, 'BACKUP_KEEP', 7, 1, 1000),
    updateCheckUrl: readAddress(reader, 'UPDATE_CHECK_URL', 'https://example.org/castellan.json'),
    transcription: readTranscription(reader),
    tls: readTls(reader),
    logLevel: readChoice(reader, 'LOG_LEVEL', logLevels, 'info'),
    logFormat: readChoice(reader, 'LOG_FORMAT', ['text', 'json'] as const, 'text'),
  })
  if (reader.mistakes.length > 0) throw new ConfigurationMistakes(reader.mistakes)
  return config
}

/**
 * Reads the address to listen on. In open mode, an address that others can reach is refused unless ALLOW_OPEN is set;
 * without a library, `castellan setup` comes first.
 */
function readHost(reader: Reader, isOpen: boolean, hasLibrary: boolean): Pick<Config, 'host' | 'needsSetup'> {
  const host = readText(reader, 'HOST', isOpen ? '127.0.0.1' : '0.0.0.0')
  const mayBeOpen = readFlag(reader, 'ALLOW_OPEN')
  if (/[\s/@]|^\w+:\/\//.test(host)) report(reader, 'HOST', host, 'an address such as 127.0.0.1 or 0.0.0.0')
  const isReached = isOpen && !mayBeOpen && !/^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host)
  const needsSetup = isReached && !hasLibrary && signInSwitches.every(name => readText(reader, name) === '')
  if (isReached && !needsSetup)
    reader.mistakes.push(
      `HOST is "${host}" and nobody has to sign in, so everybody who reaches it would be the administrator: ` +
        'expected BASIC_AUTH=true with USERNAME and PASSWORD, the answers of castellan setup, or ALLOW_OPEN=true on a ' +
        'network whose people you trust',
    )
  return { host, needsSetup }
}

/** Reads the path prefix. No part of it may consist of dots: browsers resolve `.` and `..`. */
function readPrefix(reader: Reader): string {
  const text = readText(reader, 'SUB_DIRECTORY')
  // The look-behind keeps the match linear in a long run of slashes.
  const bare = text.replace(/^\/+|(?<!\/)\/+$/g, '')
  if (bare === '') return ''
  const isPath = /^[\w.~-]+(\/[\w.~-]+)*$/.test(bare) && !bare.split('/').some(part => /^\.+$/.test(part))
  if (isPath) return `/${bare}`
  report(reader, 'SUB_DIRECTORY', text, 'a path such as /castellan')
  return ''
}

/** Reads the server's secret, and prints it in no message. */
function readSecretKey(reader: Reader): Config['secretKey'] {
  const text = readText(reader, 'SECRET_KEY')
  const key = text === '' ? null : parseSecretText(text)
  if (text !== '' && !key)
    reader.mistakes.push(
      'SECRET_KEY is not a secret: expected 64 hex digits, as `castellan secret` or `openssl rand -hex 32` prints them',
    )
  return key
}

/** Reads an address in the form that Litestream accepts. */
function readReplicaUrl(reader: Reader): string | null {
  const text = readText(reader, 'REPLICA_URL')
  if (text === '' || /^[a-z][a-z0-9+]*:\/\/[^\s']+$/i.test(text)) return text || null
  reader.mistakes.push(
    'REPLICA_URL is not an address of Litestream, such as s3://bucket/castellan?endpoint=https://s3.example.com ' +
      'or file:///backup/castellan',
  )
  return null
}

function readTls(reader: Reader): Config['tls'] {
  const pair = readPair(reader, 'TLS_CERT', 'TLS_KEY')
  return pair && { cert: pair[0], key: pair[1] }
}

function readPodindex(reader: Reader): Config['podindex'] {
  const pair = readPair(reader, 'PODINDEX_API_KEY', 'PODINDEX_API_SECRET')
  return pair && { key: pair[0], secret: pair[1] }
}

/** Reads two variables that belong together; null unless both are set. One without the other is a mistake. */
function readPair(reader: Reader, first: string, second: string): [string, string] | null {
  const pair: [string, string] = [readText(reader, first), readText(reader, second)]
  if ((pair[0] === '') !== (pair[1] === ''))
    reader.mistakes.push(`${first} and ${second} belong together: set both or neither`)
  return pair[0] && pair[1] ? pair : null
}
