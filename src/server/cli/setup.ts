import type { SetupChoices } from '../../shared/api/setup'
import { checkConnection, type ConnectionFinding } from '../../shared/connection-check'
import {
  addChosen,
  type Config,
  ConfigurationMistakes,
  DEFAULT_SCOPE,
  type Environment,
  type Joined,
  overAnswers,
  readConfig,
  signInSwitches,
} from '../config'
import { finishSetup, givenIn, noChoices, settingsOf } from '../setup'
import { UsageError } from './arguments'
import type { Questions } from './terminal'

export const setupUsage = `castellan setup    (asks, and writes the answers into the data folder)`

/** Listens as the server will, to check its connection. */
type Serve = (
  values: Environment,
  config: Config,
) => Promise<{ view: (base: string, via: typeof fetch) => Promise<string>; stop: () => unknown }>

const ways = ['password', 'oidc', 'proxy', 'open'] as const

const introduction = `Variables of the environment and of a --config file take precedence over the answers.
Press Enter for the value in brackets.

How do people sign in?
  1  by name and password
  2  at an OpenID provider (single sign-on)
  3  at a reverse proxy that sends their name
  4  not at all: everyone who reaches the server is its administrator`

/**
 * Asks for the first settings and the first admin, and writes them. With a library that has no sign-in yet, its admin
 * gets the password and keeps everything. Throws `UsageError`, `ConfigurationMistakes`, `Problem` and `StartFault`.
 */
export async function runSetupCommand(args: readonly string[], given: Joined, questions: Questions, serve: Serve) {
  if (args.length > 0) throw new UsageError(`Unexpected "${args[0]}"`, setupUsage)
  if (given.mistakes.length > 0) throw new ConfigurationMistakes(given.mistakes)
  const { values } = given
  const before = addChosen(given)
  const choices: SetupChoices = {
    ...noChoices,
    ...(await askSignIn(values, questions)),
    ...(await askPlaces(values, before.values, questions)),
    ...(await askBucket(values, before.values, questions)),
  }
  if (choices.address !== '') await reportConnection(values, choices, questions, serve)
  await finishSetup(values, choices)
  questions.print('Saved. Start castellan, or restart it if it is running.')
}

async function askSignIn(
  values: Environment,
  { ask, askPassword, askSecret, print }: Questions,
): Promise<Partial<SetupChoices>> {
  const fixed = givenIn(values, signInSwitches)
  if (fixed.length > 0) {
    print(`${fixed.join(', ')} says how people sign in.`)
    return { way: 'given' }
  }
  print(introduction)
  const way = ways[Number(await ask('Choice', '1')) - 1]
  if (way === undefined) throw new UsageError('Expected a number from 1 to 4')
  if (way === 'open') return { way }
  if (way === 'oidc')
    return {
      way,
      authority: await ask('Address of the provider'),
      clientId: await ask('Client id'),
      clientSecret: await askSecret('Client secret; empty for a public client: '),
      scope: await ask('Scopes; some providers give groups only for one of them', DEFAULT_SCOPE),
      adminClaim: await ask('Claim and value that make somebody an admin, such as groups:admins'),
    }
  const username = values['USERNAME']?.trim() || (await ask('Name of the admin', 'admin'))
  if (way === 'proxy') return { way, username, header: await ask('Header with the name', 'X-Forwarded-User') }
  return { way, username, password: await askPassword(`Password for ${username}: `) }
}

type Place = {
  variable: string
  choice: 'host' | 'port' | 'address' | 'trustedProxy' | 'mediaFolder'
  question: string
  usual: string
}

async function askPlaces(
  values: Environment,
  before: Environment,
  { ask, print }: Questions,
): Promise<Partial<SetupChoices>> {
  const places: Place[] = [
    {
      variable: 'HOST',
      choice: 'host',
      question: 'Listen on 0.0.0.0 (the network) or 127.0.0.1 (this machine)',
      usual: '0.0.0.0',
    },
    { variable: 'PORT', choice: 'port', question: 'Port', usual: '8000' },
    {
      variable: 'SERVER_URL',
      choice: 'address',
      question: 'Public address, such as https://pod.example/podcasts; empty without a proxy',
      usual: '',
    },
    {
      variable: 'TRUSTED_PROXIES',
      choice: 'trustedProxy',
      question: 'Address or network of the proxy; empty if it is on this machine',
      usual: '',
    },
    {
      variable: 'PODCAST_DIRECTORY',
      choice: 'mediaFolder',
      question: 'Folder for media files; empty for podcasts in the data folder',
      usual: '',
    },
  ]
  const chosen: Partial<SetupChoices> = {}
  for (const { variable, choice, question, usual } of places) {
    const fixed = givenIn(values, [variable])
    if (fixed.length > 0) print(`${variable} is ${values[variable]}.`)
    else if (choice !== 'trustedProxy' || chosen.address)
      chosen[choice] = await ask(question, before[variable]?.trim() || usual)
  }
  const path = chosen.address && URL.canParse(chosen.address) ? new URL(chosen.address).pathname : '/'
  if (path !== '/' && givenIn(values, ['SUB_DIRECTORY']).length === 0) chosen.prefix = path.replace(/\/$/, '')
  return chosen
}

async function askBucket(
  values: Environment,
  before: Environment,
  { ask, askSecret, print }: Questions,
): Promise<Partial<SetupChoices>> {
  const fixed = givenIn(values, ['MEDIA_STORAGE', 'S3_ENDPOINT', 'S3_URL'])
  if (fixed.length > 0) {
    print(`${fixed.join(', ')} says where new media files are stored.`)
    return {}
  }
  const usual = (name: string, otherwise = '') => before[name]?.trim() || otherwise
  const bucketAddress = await ask(
    'For media in an S3 bucket, the address of the service, such as https://s3.example; empty for the folder',
    usual('S3_ENDPOINT'),
  )
  if (bucketAddress === '') return {}
  return {
    bucketAddress,
    bucketName: await ask('Bucket', usual('S3_BUCKET')),
    bucketRegion: await ask('Region', usual('S3_REGION', 'us-east-1')),
    bucketPrefix: await ask('Prefix of its objects; empty for none', usual('S3_PREFIX')),
    bucketKey: await ask('Access key', usual('S3_ACCESS_KEY')),
    bucketSecret: await askSecret('Secret key: '),
  }
}

const remedies: Readonly<Record<ConnectionFinding['part'], string>> = {
  address: 'the proxy must pass the original Host and X-Forwarded-Proto on, and be in TRUSTED_PROXIES',
  range: 'seeking would restart episodes: turn caching off, and pass Range on',
  body: 'imports would fail: allow request bodies of 16 MB',
  socket: 'pages would not update: pass Upgrade and Connection on',
}

/** Checks the public address, by a server that listens for these checks only. */
async function reportConnection(values: Environment, choices: SetupChoices, { print }: Questions, serve: Serve) {
  const base = `${choices.address.replace(/(?<!\/)\/+$/, '')}/`
  const { SERVER_URL: _, ...settings } = settingsOf({ ...choices, way: 'open' })
  const config = readConfig(overAnswers(values, settings))
  const server = await serve(values, config).catch(() => null)
  if (!server) return print(`The connection was not checked: port ${config.port} is in use.`)
  try {
    const seen = await server.view(base, fetch).catch(() => null)
    if (seen === null) return print(`${base} does not lead to this server. Set up the proxy, then run this again.`)
    for (const { part, isRight } of await checkConnection({ base, view: { serverUrl: seen }, fetch }))
      print(isRight ? `  ok       ${part}` : `  problem  ${part}: ${remedies[part]}`)
  } finally {
    await server.stop()
  }
}
