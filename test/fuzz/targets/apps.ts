import fc from 'fast-check'
import { createAppCalls, createOpenCalls } from '../../../src/server/http/apps/audiobookshelf/serve'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { startApplication, type Application } from '../application'
import { oddities } from '../mutate'
import { mutatedJson } from '../mutate-json'
import { require, type Target } from '../target'

type Call = { which: number; values: string[]; query: string; body: string; refresh: boolean }
type Running = { app: Application; host: ReturnType<typeof startFeedHost>; token: string; ids: Record<string, string> }

const names = ['podcast', 'episode', 'library', 'session', 'playlist']
const id = fc.constantFrom(...names.map(name => `{${name}}`))
const odd = fc
  .constantFrom(...oddities, '..', '.', '0', '-1', '1e9', 'x'.repeat(3000), '__proto__', "'; --")
  .map(text => encodeURIComponent(text.toWellFormed()))
const value = fc.oneof({ weight: 5, arbitrary: id }, { weight: 1, arbitrary: odd })
const number = fc.constantFrom('0', '1', '10', '-1', '1e5', '0.5', '9'.repeat(40), '')
const query = fc
  .record(
    {
      limit: number,
      page: number,
      itemsPerPage: number,
      include: fc.constantFrom('filterdata', 'stats', 'rssfeed,numEpisodesIncomplete', 'downloads'),
      sort: fc.oneof(fc.constantFrom('addedAt', 'media.metadata.title', 'size', 'random'), odd),
      filter: fc.oneof(fc.constantFrom('genres.VGVjaA%3D%3D', 'progress.x', 'tags.%25'), odd),
      desc: fc.constantFrom('0', '1'),
      expanded: fc.constant('1'),
      q: fc.oneof(fc.constant('fog'), odd),
      width: number,
      format: fc.constantFrom('webp', 'jpeg', 'x'),
      raw: fc.constant('1'),
      token: odd,
      state: odd,
      code: odd,
    },
    { requiredKeys: [] },
  )
  .map(values =>
    Object.entries(values)
      .map(([name, text]) => `${name}=${text}`)
      .join('&'),
  )
const session = {
  id: '01890000-0000-4000-8000-000000000001',
  libraryItemId: '{podcast}',
  episodeId: '{episode}',
  duration: 600.5,
  currentTime: 60.5,
  timeListening: 30,
  startedAt: 1_790_000_000_000,
  updatedAt: 1_790_000_060_000,
  deviceInfo: { deviceId: 'd', model: 'P1', sdkVersion: 34 },
}
const entry = { libraryItemId: '{podcast}', episodeId: '{episode}' }
const bodies = [
  { username: 'root', password: 'Corr3ctHorse' },
  { deviceInfo: session.deviceInfo, mediaPlayer: 'exo-player', supportedMimeTypes: ['audio/mpeg'] },
  { currentTime: 12.5, timeListened: 7, duration: 600 },
  session,
  { sessions: [session, session], deviceInfo: session.deviceInfo },
  { isFinished: true, currentTime: 5, lastUpdate: 1_790_000_000_000, hideFromContinueListening: false },
  [{ ...entry, isFinished: true }],
  { libraryItemIds: ['{podcast}', 'x'] },
  { name: 'Evening', items: [entry, entry] },
  [{ guid: 'fog', enclosure: { url: 'https://a.example/1.mp3' } }],
  { rssFeed: 'x' },
].map(body => JSON.stringify(body))
const call: fc.Arbitrary<Call> = fc.record({
  which: fc.nat(),
  values: fc.array(value, { minLength: 4, maxLength: 4 }),
  query,
  body: fc.oneof(mutatedJson(bodies), fc.constantFrom(...bodies, '', '{', '[]', 'null', '"x"')),
  refresh: fc.boolean(),
})

/** Requests that every app makes, and that must always be answered. */
const readings = [
  '/api/me',
  '/api/libraries',
  '/api/libraries/{library}?include=filterdata',
  '/api/libraries/{library}/items?limit=10&page=0',
  '/api/libraries/{library}/personalized',
  '/api/libraries/{library}/recent-episodes?limit=10&page=0',
  '/api/items/{podcast}?expanded=1',
  '/api/me/listening-stats',
  '/api/me/items-in-progress',
  '/api/playlists',
]

/** The directory is on the internet. */
const unasked = new Set(['GET /api/search/podcast'])
const INPUTS_PER_APPLICATION = 100

/**
 * An app of Audiobookshelf that sends what it likes: every call is answered, never by a fault of ours or by nothing.
 */
export function apps(): Target<Call[]> {
  let running: Running | null = null
  let calls: string[] = []
  let inputs = 0

  async function renew(): Promise<void> {
    await stop()
    const app = await startApplication({ ALLOWED_NETWORKS: '127.0.0.0/8' })
    const host = startFeedHost()
    calls = [...createOpenCalls(app.context, ''), ...createAppCalls(app.context)]
      .map(([call]) => call)
      .filter(call => !unasked.has(call))
    running = { app, host, token: '', ids: await plant(app, host) }
    const body = JSON.stringify({ username: 'root', password: 'Corr3ctHorse' })
    const signedIn = await app.fetch('/login', { method: 'POST', body })
    running.token = ((await signedIn.json()) as { user: { accessToken: string } }).user.accessToken
    await noteIds(running)
  }
  /** Once, though the time may be up while the application is renewed. */
  async function stop() {
    const last = running
    running = null
    last?.host.stop()
    await last?.app.stop()
  }

  async function check({ which, values, query, body, refresh }: Call) {
    const { app, token, ids } = running!
    const asked = calls[which % calls.length]!
    const [method, pattern] = asked.split(' ') as [string, string]
    const rest = [...values]
    const path = fill(
      ids,
      pattern.replace(/:\w+/g, () => rest.shift()!),
    )
    const headers = { Authorization: `Bearer ${token}`, ...(refresh && { 'X-Refresh-Token': 'x' }) }
    const response = await app.fetch(`${path}?${query}`, {
      method,
      headers,
      ...(method !== 'GET' && { body: fill(ids, body) }),
    })
    const text = await response.text()
    require(response.status < 500, `${asked} is answered by ${response.status}`, app.errors())
    require(response.status !== 200 || text !== '', `${asked} is answered by nothing`)
    if (response.headers.get('content-type')?.includes('json')) JSON.parse(text)
  }

  return {
    name: 'apps',
    inputs: fc.array(call, { minLength: 1, maxLength: 5 }),
    slowMs: 3000,
    async check(input) {
      if (inputs++ % INPUTS_PER_APPLICATION === 0) await renew()
      for (const call of input) await check(call)
      const { app, token, ids } = running!
      for (const reading of readings) {
        const path = fill(ids, reading)
        const response = await app.fetch(path, { headers: { Authorization: `Bearer ${token}` } })
        const text = await response.text()
        require(response.status === 200, `afterwards ${reading} is answered by ${response.status}`, app.errors())
        JSON.parse(text)
      }
    },
    stop,
  }
}

/** A small library, and the ids in it. */
async function plant({ context }: Application, host: Running['host']): Promise<Record<string, string>> {
  const items = [
    { guid: 'fog', title: 'Fog', duration: '600', enclosure: host.file('/fog.mp3', silentMp3(2)) },
    { guid: 'lamps', title: 'Lamps', notes: '0:00 Begin\n0:10 End', enclosure: host.file('/lamps.mp3', silentMp3(2)) },
  ]
  const { store, admin } = context
  await context.passwordIsSet
  const podcast = await context.subscribe(store.users.find(admin.id)!, host.feed('/feed.xml', rss({ items })))
  const [episode] = store.catalogue.episodesOf(admin, podcast.id, { limit: 1, withNotes: false })
  return { podcast: podcast.uuid, episode: episode!.uuid, library: store.settings.current().id }
}

/** Begins to play and makes a list, for the calls that need them. */
async function noteIds({ app, token, ids }: Running) {
  const post = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${token}` }
    const response = await app.fetch(fill(ids, path), {
      method: 'POST',
      headers,
      body: fill(ids, JSON.stringify(body)),
    })
    return (await response.json()) as { id: string }
  }
  ids['session'] = (await post('/api/items/{podcast}/play/{episode}', {})).id
  ids['playlist'] = (await post('/api/playlists', { name: 'Evening', items: [entry] })).id
}

const fill = (ids: Record<string, string>, text: string) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole)
