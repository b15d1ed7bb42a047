import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../app'
import { type Config, type Environment, readConfig } from '../config'
import { createContext } from '../context'
import { HOUR, systemClock } from '../platform/clock'
import { Problem } from '../platform/problem'
import { explainListening } from '../start-faults'
import { hostFeeds } from './feeds'

/** The header that names the visitor: it is set here, whatever a client sends. */
const HEADER = 'x-castellan-demo'
const KEEPER = 'keeper'
const VISITOR = 'visitor'

/** The variables that the demo reads: where it listens, and what it logs. */
const taken = ['HOST', 'PORT', 'SUB_DIRECTORY', 'SERVER_URL', 'TLS_CERT', 'TLS_KEY', 'LOG_LEVEL', 'LOG_FORMAT']

/** Reads the configuration of the demo: everybody is one plain user, and nothing but the page is served. */
export const readDemoConfig = (values: Environment, folder: string): Config =>
  readConfig({
    ...Object.fromEntries(taken.map(name => [name, values[name]])),
    LOG_LEVEL: values['LOG_LEVEL'] || 'warn',
    DATA_DIRECTORY: folder,
    REVERSE_PROXY: 'true',
    REVERSE_PROXY_HEADER: HEADER,
    REVERSE_PROXY_AUTO_SIGN_UP: 'true',
    TRUSTED_PROXIES: '0.0.0.0/0,::/0',
    ADMINS: KEEPER,
    USER_PODCAST_LIMIT: '0',
    GPODDER_INTEGRATION_ENABLED: 'false',
    AUDIOBOOKSHELF_API: 'false',
    PUBLIC_CLIPS: 'false',
    BACKUP_INTERVAL: '0',
  })

type Demo = { folder: string; app: App; close: () => Promise<void> }

const newFolder = () => mkdtempSync(join(tmpdir(), 'castellan-demo-'))

/** Creates a library of invented podcasts in a new folder, and the application that shows it. */
export async function createDemo(values: Environment, uiFolder: string, folder = newFolder()): Promise<Demo> {
  const config = readDemoConfig(values, folder)
  const context = createContext(config)
  const host = hostFeeds(systemClock())
  const app = await createApp(context, uiFolder)
  let isPlanted = false
  app.onRequest(({ request }) => {
    if (!isPlanted) return
    request.headers.set(HEADER, VISITOR)
    return refuse(request, config.prefix)
  })
  await plant(app, config.prefix, host.feeds)
  await context.downloads.settled()
  isPlanted = true
  return {
    folder,
    app,
    async close() {
      await app.server?.stop(true)
      await context.close()
      await host.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Addresses whose answers come from elsewhere, or cost more than a page. */
const refused = /^\/api\/v1\/(discover|podcasts\/[^/]+\/[^/]*\/search|users\/me\/everything)/

/**
 * Refuses what changes something. Positions are kept until the next reset, since a player that loses them is broken; a
 * session of a browser is not begun, since everybody is the same visitor.
 */
function refuse({ method, url }: Request, prefix: string): Response | undefined {
  const path = new URL(url).pathname.slice(prefix.length)
  if (method === 'POST' && path === '/api/v1/session') return new Response(null, { status: 204 })
  const mayChange = method === 'POST' && path === '/api/v1/podcasts/episode'
  if ((['GET', 'HEAD', 'OPTIONS'].includes(method) && !refused.test(path)) || mayChange) return undefined
  throw new Problem('demo-read-only', 'This is a demo: nothing can be changed')
}

type Listed = { podcastEpisode: { id: string; episode_id: string; total_time: number } }

/** Plants subscriptions, favourites, tags, a playlist, likes and positions, by the calls that a browser would make. */
async function plant(app: App, prefix: string, feeds: readonly string[]) {
  async function call<T>(as: string, method: string, path: string, body?: object): Promise<T> {
    const headers = { [HEADER]: as, 'Content-Type': 'application/json', 'X-Requested-With': 'castellan' }
    const request = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await app.handle(new Request(`http://localhost${prefix}/api/v1${path}`, request))
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  const podcasts: { id: string }[] = []
  for (const rssFeedUrl of feeds)
    podcasts.push(await call(KEEPER, 'POST', '/podcasts/feed', { rssFeedUrl, first_downloads: 1 }))
  const items: { episode: string }[] = []
  for (const [index, { id }] of podcasts.entries()) {
    if (index % 3 === 0) await call(VISITOR, 'PUT', '/podcasts/favored', { id, favored: true })
    const listed = await call<Listed[]>(VISITOR, 'GET', `/podcasts/${id}/episodes?limit=8`)
    for (const [place, { podcastEpisode: episode }] of listed.entries()) {
      const { total_time: total } = episode
      if (place === 1 && index < 6) items.push({ episode: episode.id })
      if (place === 0 && index % 4 === 1)
        await call(VISITOR, 'PUT', `/podcasts/${episode.id}/episodes/favor`, { favored: true })
      const time = place > 3 && (place + index) % 2 === 0 ? total : place === 2 && index % 2 === 0 ? total * 0.4 : null
      if (time !== null)
        await call(VISITOR, 'POST', '/podcasts/episode', { podcastEpisodeId: episode.episode_id, time, total })
    }
  }
  for (const [place, [name, color]] of tags.entries()) {
    const tag = await call<{ id: string }>(VISITOR, 'POST', '/tags', { name, color })
    for (const [index, { id }] of podcasts.entries())
      if (index % 4 === place) await call(VISITOR, 'POST', `/tags/${tag.id}/${id}`)
  }
  await call(VISITOR, 'POST', '/playlist', { name: 'On the train', items })
}

const tags = [
  ['Bedtime', 'Blue'],
  ['Science', 'Green'],
  ['News', 'Red'],
] as const

/** Shows the demo until the process ends, and starts it over every hour. `started` gets the port. */
export async function runDemo(values: Environment, uiFolder: string, started: (config: Config, port: number) => void) {
  const folders: string[] = []
  const create = () => {
    folders.push(newFolder())
    return createDemo(values, uiFolder, folders.at(-1))
  }
  function stop() {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    process.exit(0)
  }
  // Also while a library is being made.
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  let demo = await create()
  const config = readDemoConfig(values, tmpdir())
  const listen = () => demo.app.listen({ hostname: config.host, port: config.port })
  try {
    listen()
  } catch (error) {
    await demo.close()
    throw explainListening(error, config)
  }
  started(config, demo.app.server!.port!)
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, HOUR))
    const next = await create()
    await demo.close()
    folders.shift()
    demo = next
    listen()
  }
}
