import { startTestApp, withPasswords, type TestApp } from './app'
import { rss, silentMp3 } from './builders'
import { startFeedHost } from './feed-host'

// The calls that the product promises by name are tested one by one, over plain HTTP: with what they document, and with
// what they must refuse. Programs of other people depend on them.

type Answer = { status: number; body: any; text: string; headers: Headers }
export type World = Awaited<ReturnType<typeof startWorld>>

/** An admin, a plain user, a podcast with three episodes of which one can be downloaded. */
export async function startWorld(env: Record<string, string> = withPasswords) {
  const host = startFeedHost()
  const app = await startTestApp({ env })
  app.prefill(0)
  const isOpen = Object.keys(env).length === 0
  const root = isOpen ? app.withHeader(null) : app.as('root', 'Sup3rSecret')
  const alice = isOpen ? root : await app.signUp('alice')
  const enclosure = host.file('/fog.mp3', silentMp3(2))
  const items = [
    { guid: 'fog', title: 'Fog', enclosure, duration: '100' },
    { guid: 'lamps', title: 'Lamps', duration: '200' },
    { guid: 'ropes', title: 'Ropes' },
  ]
  const feed = host.feed('/feed.xml', rss({ title: 'Lighthouse Radio', items }))
  const podcast = await root.podcasts.add(feed)
  const { data } = await root.podcasts.episodes(podcast.id, {}, null)
  const episodes = data.map(({ podcastEpisode }) => podcastEpisode)
  const [fog, lamps, ropes] = episodes as [(typeof episodes)[0], (typeof episodes)[0], (typeof episodes)[0]]
  return {
    host,
    app,
    feed,
    podcast,
    fog: fog!,
    lamps: lamps!,
    ropes: ropes!,
    root: asking(app, root.authorization),
    alice: asking(app, alice.authorization),
    stranger: asking(app, null),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

/** Calls below /api/v1, as somebody sends them; a body that is a string goes as it is. */
const asking =
  (app: TestApp, authorization: string | null) =>
  async (call: string, body?: unknown): Promise<Answer> => {
    const [method, path] = call.split(' ') as [string, string]
    const response = await app.fetch(`/api/v1${path}`, {
      method,
      headers: {
        ...(authorization && { Authorization: authorization }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return { status: response.status, body: isJson ? JSON.parse(text) : null, text, headers: response.headers }
  }

/** The status and the code of a refusal. */
export const refused = ({ status, body }: Answer) => [status, body?.errorCode]
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const nobody = '00000000-0000-4000-8000-000000000000'
