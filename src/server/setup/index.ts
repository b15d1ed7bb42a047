import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { SetupChoices } from '../../shared/api/setup'
import { findNameFault, nameRules } from '../../shared/username'
import { requireBuiltIn } from '../accounts/configured'
import { hashPassword, requireStrong } from '../accounts/password'
import {
  type BucketSettings,
  type Config,
  ConfigurationMistakes,
  type Environment,
  overAnswers,
  readConfig,
  SETTINGS_FILE,
} from '../config'
import { openDataFolder } from '../data-folder'
import type { ProxyNeeds } from '../outbound/reach'
import { systemClock } from '../platform/clock'
import { Problem } from '../platform/problem'
import { ensureWritable } from '../start-faults'
import { StorageFailure, tryBucket } from '../storage'

/** The variables of the environment that the setup cannot change. */
export const givenIn = (values: Environment, names: readonly string[]): string[] =>
  names.filter(name => values[name]?.trim())

/**
 * Checks choices, creates the library with its first admin, and writes the choices into the data folder. `values`: the
 * environment, which takes precedence. Throws `ConfigurationMistakes`,
 * `Problem` and `StartFault`; unless it is the last, nothing has changed.
 */
export async function finishSetup(values: Environment, choices: SetupChoices): Promise<void> {
  const settings = settingsOf(choices)
  const config = checkSettings(values, settings, choices)
  ensureWritable('DATA_DIRECTORY', config.dataFolder)
  ensureWritable('PODCAST_DIRECTORY', config.podcastFolder)
  // A bucket that the environment names may be away for now, as at any other start.
  if (config.bucket && choices.bucketAddress.trim()) await requireBucket(config.bucket, config)
  const { store } = openDataFolder(config.dataFolder, config)
  try {
    const isNew = store.users.findBuiltIn() === null
    const admin = requireBuiltIn(store, config, systemClock)
    if (isNew) store.settings.setWasOpen(config.isOpen)
    if (choices.way === 'password') store.users.setPassword(admin.id, await hashPassword(choices.password))
  } finally {
    store.close()
  }
  writeSettings(config.dataFolder, settings)
}

/** Throws unless files can be written to the bucket, read and deleted. */
async function requireBucket(bucket: BucketSettings, proxies: ProxyNeeds) {
  await tryBucket(bucket, proxies).catch(error => {
    if (error instanceof StorageFailure) throw new ConfigurationMistakes([error.message])
    throw error
  })
}

/** Reads the configuration as it will be, with the admin's name and password. Throws `Problem` for these two. */
function checkSettings(values: Environment, settings: Environment, { way, username, password }: SetupChoices): Config {
  const broken = Object.entries(settings).find(([, value]) => /[\r\n\0]/.test(value ?? ''))
  if (broken) throw new ConfigurationMistakes([`${broken[0]} is more than one line, expected one`])
  const fault = username === '' ? null : findNameFault(username)
  if (fault !== null)
    throw new Problem('invalid-field', `username: ${nameRules[fault]}`, {
      field: 'username',
      rule: nameRules[fault],
      fault,
    })
  if (way === 'password') requireStrong(password)
  const config = readConfig({
    ...overAnswers(values, { ...settings, ...(way === 'password' && username !== '' && { USERNAME: username }) }),
    ...(way === 'password' && { PASSWORD: password }),
  })
  requireChosenAdmin(config, way, username)
  if (config.needsSetup) throw new ConfigurationMistakes(['Nobody could sign in: choose how'])
  return config
}

/** Throws if the environment names another admin: the one who was chosen could not sign in, or would be no admin. */
function requireChosenAdmin({ username, admins }: Config, way: SetupChoices['way'], chosen: string) {
  if (chosen === '') return
  if (way === 'password' && username !== chosen)
    throw new ConfigurationMistakes([`USERNAME is "${username}", expected "${chosen}" or nothing: it names the admin`])
  if (way === 'proxy' && !admins.includes(chosen))
    throw new ConfigurationMistakes([`ADMINS is "${admins.join(',')}", expected "${chosen}" among them, or nothing`])
}

/** Writes the answers for the next start, readable by this user alone. */
function writeSettings(folder: string, settings: Record<string, string>) {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, SETTINGS_FILE)
  const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"\n`)
  const file = openSync(`${path}.new`, 'w', 0o600)
  try {
    writeSync(file, `# Written by castellan setup. Variables of the environment take precedence.\n${lines.join('')}`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.new`, path)
}

export const noChoices: SetupChoices = {
  way: 'password',
  username: '',
  password: '',
  authority: '',
  clientId: '',
  clientSecret: '',
  scope: '',
  adminClaim: '',
  header: '',
  address: '',
  prefix: '',
  trustedProxy: '',
  mediaFolder: '',
  bucketAddress: '',
  bucketName: '',
  bucketRegion: '',
  bucketKey: '',
  bucketSecret: '',
  bucketPrefix: '',
  host: '',
  port: '',
}

const ofWays: Record<SetupChoices['way'], (choices: SetupChoices) => Environment> = {
  password: () => ({ BASIC_AUTH: 'true' }),
  oidc: ({ authority, clientId, clientSecret, scope, adminClaim }) => ({
    OIDC_AUTH: 'true',
    OIDC_AUTHORITY: authority,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_SCOPE: scope,
    OIDC_ADMIN_CLAIM: adminClaim,
  }),
  proxy: ({ header, username }) => ({
    REVERSE_PROXY: 'true',
    REVERSE_PROXY_HEADER: header,
    REVERSE_PROXY_AUTO_SIGN_UP: 'true',
    ADMINS: username,
  }),
  open: () => ({ ALLOW_OPEN: 'true' }),
  given: () => ({}),
}

/** Writes choices as variables. The password is left out: the library stores its hash. */
export function settingsOf(choices: SetupChoices): Record<string, string> {
  const settings: Environment = {
    ...ofWays[choices.way](choices),
    HOST: choices.host,
    PORT: choices.port,
    SERVER_URL: choices.address,
    SUB_DIRECTORY: choices.prefix,
    TRUSTED_PROXIES: choices.trustedProxy && `127.0.0.0/8,::1/128,${choices.trustedProxy}`,
    PODCAST_DIRECTORY: choices.mediaFolder,
    ...(choices.bucketAddress.trim() && {
      MEDIA_STORAGE: 's3',
      S3_ENDPOINT: choices.bucketAddress,
      S3_BUCKET: choices.bucketName,
      S3_REGION: choices.bucketRegion,
      S3_ACCESS_KEY: choices.bucketKey,
      S3_SECRET_KEY: choices.bucketSecret,
      S3_PREFIX: choices.bucketPrefix,
    }),
  }
  return Object.fromEntries(Object.entries(settings).flatMap(([name, value]) => (value ? [[name, value.trim()]] : [])))
}
