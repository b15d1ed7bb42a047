import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rss, silentMp3 } from '../../support/builders'
import { startExecutable } from '../../support/executable'
import { startFeedHost, type FeedHost } from '../../support/feed-host'
import type { Report } from '../../support/report'
import { runScript } from '../script'
import { callAsGo } from './go-calls'

// The client library of Music Assistant against the built executable: https://pypi.org/project/aioaudiobookshelf.
// `PYTHON` names a Python that has it. `bun run build` first.

const admin = { username: 'mara', password: 'Sup3rSecret' }
const user = { username: 'nils', password: 'Corr3ctHorse' }

/** Once as the admin, and once as a user, at an address with a path. */
const rounds = [
  { who: 'an admin', account: admin, path: '' },
  { who: 'a user, below a path', account: user, path: '/castellan' },
]

const python = () =>
  [process.env.PYTHON, 'python3'].find(
    command =>
      command &&
      Bun.which(command) &&
      Bun.spawnSync([command, '-c', 'import aioaudiobookshelf'], { stderr: 'ignore' }).success,
  )

/** Programs that send a key with each call and never sign in. */
const keys = [
  { script: 'by_key.py', name: 'aioaudiobookshelf by an API key, as an admin', account: admin, kind: 'key' },
  { script: 'by_key.py', name: 'aioaudiobookshelf by an app password, as a user', account: user, kind: 'password' },
  { script: 'home_assistant.py', name: 'the polls of Home Assistant’s integration', account: admin, kind: 'key' },
] as const

/** A server with three podcasts; the fourth comes, changes and goes as the script wishes. */
async function startLibrary(folder: string, host: FeedHost, path: string) {
  const { username, password } = admin
  const env = {
    DATA_DIRECTORY: folder,
    DISK_RESERVE: '0',
    BASIC_AUTH: 'true',
    USERNAME: username,
    PASSWORD: password,
    SUB_DIRECTORY: path,
  }
  let running = await startExecutable(env)
  const { origin } = running
  const headers = {
    Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    'Content-Type': 'application/json',
  }
  async function api<T>(method: string, path: string, body: unknown = {}): Promise<T> {
    const init = { method, headers, ...(method !== 'GET' && { body: JSON.stringify(body) }) }
    const response = await fetch(`${origin}/api/v1${path}`, init)
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return (response.status === 204 ? null : await response.json()) as T
  }
  const itemsOf = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      guid: `${name}-${at}`,
      title: `${name} ${at}`,
      notes: '<p>Notes</p>',
      enclosure: host.file(`/${name}-${at}.mp3`, silentMp3(120)),
      duration: '120',
    }))
  const feed = (name: string, title: string, count: number) =>
    host.feed(`/${name}.xml`, rss({ title, items: itemsOf(name, count) }))
  const add = (rssFeedUrl: string) => api<{ id: string }>('POST', '/podcasts/feed', { rssFeedUrl })

  await api('PUT', '/settings', { podcastPrefill: 0 })
  const { id: inviteId } = await api<{ id: string }>('POST', '/invites', { role: 'user' })
  await api('POST', '/users', { ...user, inviteId })
  for (const [name, title] of [
    ['morning', 'Morning Show'],
    ['noon', 'Noon'],
    ['night', 'Night'],
  ] as const)
    await add(feed(name, title, 5))
  let fourth = ''
  const wishes: Record<string, () => unknown> = {
    stop: () => running.stop(),
    start: async () => void (running = await startExecutable({ ...env, PORT: new URL(origin).port })),
    add: async () => void (fourth = (await add(feed('fourth', 'Fourth', 2))).id),
    async update() {
      feed('fourth', 'Fourth', 3)
      await api('POST', `/podcasts/${fourth}/refresh`)
    },
    async download() {
      const [first] = await api<{ podcastEpisode: { id: string } }[]>('GET', `/podcasts/${fourth}/episodes`)
      await api('PUT', `/podcasts/${first!.podcastEpisode.id}/episodes/download`)
    },
    remove: () => api('DELETE', `/podcasts/${fourth}`, { delete_files: true }),
  }
  return { origin, wish: (name: string) => wishes[name]!(), stop: () => running.stop(), keyOf: keysAt(origin) }
}

/** Makes an API key or an app password of an account. */
const keysAt = (origin: string) => async (account: typeof admin, kind: 'key' | 'password') => {
  const { username, password } = account
  const headers = {
    Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    'Content-Type': 'application/json',
  }
  async function send<T>(method: string, path: string, body: object): Promise<T> {
    const answer = await fetch(`${origin}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  if (kind === 'password')
    return (await send<{ password: string }>('POST', '/users/me/appPasswords', { name: 'Program' })).password
  const apiKey = crypto.randomUUID().replaceAll('-', '')
  await send('PUT', `/users/${username}`, { apiKey })
  return apiKey
}

type Server = Awaited<ReturnType<typeof startLibrary>>

/** Answers whether a program got on with a server of its own below this path. */
async function tryAgainst(path: string, run: (server: Server) => Promise<boolean>): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-apps-'))
  using host = startFeedHost()
  const server = await startLibrary(folder, host, path)
  try {
    return await run(server)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const scriptOf = (name: string) => join(import.meta.dir, name)

export async function run(report: Report) {
  const command = python()
  const missing = 'aioaudiobookshelf is not installed (PYTHON names a Python that has it)'
  for (const { who, account, path } of rounds) {
    const name = `aioaudiobookshelf as ${who}`
    if (!command) report.skip(name, missing)
    else
      report.check(
        name,
        await tryAgainst(path, ({ origin, wish }) =>
          runScript([command, scriptOf('library.py'), origin, account.username, account.password], wish),
        ),
      )
  }
  for (const { name, script, account, kind } of keys)
    if (!command) report.skip(name, missing)
    else
      report.check(
        name,
        await tryAgainst('', async ({ origin, wish, keyOf }) =>
          runScript([command, scriptOf(script), origin, await keyOf(account, kind)], wish),
        ),
      )
  report.check('the calls of go-audiobookshelf', await tryAgainst('', ({ origin }) => callAsGo(origin, user)))
}
