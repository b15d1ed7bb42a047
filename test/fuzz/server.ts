import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'

const main = join(import.meta.dir, '../../src/server/main.ts')
const password = 'Corr3ctHorse'
export const basic = (username: string) => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

export type Server = Awaited<ReturnType<typeof startServer>>

/** The server in a process of its own, with a small library, and an account of each role. */
export async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-fuzz-'))
  const host = startFeedHost()
  const env = {
    DATA_DIRECTORY: folder,
    DISK_RESERVE: '0',
    BASIC_AUTH: 'true',
    USERNAME: 'root',
    PASSWORD: password,
    USER_PODCAST_LIMIT: '5',
  }
  const running = await startExecutable(env, [process.execPath, main])
  const { origin } = running
  const headers = { Authorization: basic('root'), 'Content-Type': 'application/json' }
  async function call(method: string, path: string, body: unknown): Promise<any> {
    const response = await fetch(`${origin}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return response.status === 204 ? null : response.json()
  }

  await call('PUT', '/settings', { podcastPrefill: 0, autoDownload: false })
  const enclosure = host.file('/fog.mp3', silentMp3(2))
  const items = [
    { guid: 'fog', title: 'Fog', enclosure, duration: '100' },
    { guid: 'lamps', title: 'Lamps', notes: '0:00 Begin\n0:10 Middle\n0:20 End' },
  ]
  await call('POST', '/podcasts/feed', { rssFeedUrl: host.feed('/feed.xml', rss({ items })) })
  for (const [username, role] of [
    ['uma', 'uploader'],
    ['alice', 'user'],
  ] as const) {
    const { id } = await call('POST', '/invites', { role, explicitConsent: false })
    await call('POST', '/users', { inviteId: id, username, password })
  }

  return {
    origin,
    pid: running.process.pid,
    /** Errors in its log since the last call. */
    errors: () =>
      running.output
        .splice(0)
        .join('')
        .split('\n')
        .filter(line => line.includes(' error ')),
    /** The exit code; null while it runs. */
    async end(): Promise<string | null> {
      const { exitCode, signalCode, stderr } = running.process
      if (exitCode === null && signalCode === null) return null
      return `${signalCode ?? exitCode}: ${await new Response(stderr).text()}`
    },
    async stop() {
      await running.stop()
      host.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
