import type { DomainEvents } from '../../src/server/platform/events'
import type { Overrides } from '../../src/server/context'
import type { Environment } from '../../src/server/config'
import { startClock, startTestApp } from './app'
import { rss, silentMp3, type ItemSpec } from './builders'
import { startFeedHost } from './feed-host'
import { startSpeechServer } from './speech-server'

type Options = {
  titles?: readonly string[]
  env?: Environment
  overrides?: Overrides
  /** Adds to the item of an episode. */
  itemOf?: (title: string, origin: string) => Partial<ItemSpec>
  server?: { origin: string }
}
type State = DomainEvents['transcriptionProgress']['state']

/** The files of the episodes: no two are alike. */
export const speechOf = (title: string) => Buffer.concat([silentMp3(2), Buffer.from(title.padEnd(16))])

/** A podcast, and a speech server that the configuration names. Nothing is downloaded yet. */
export async function plantSpeech({ titles = ['Fog'], env, overrides, itemOf, server }: Options = {}) {
  const host = startFeedHost()
  const speech = startSpeechServer()
  const now = startClock()
  const app = await startTestApp({
    now,
    env: { TRANSCRIPTION_URL: server?.origin ?? speech.origin, TRANSCRIPTION_MODEL: 'small', ...env },
    ...overrides,
  })
  // With sign-in, the admin of the configuration.
  const api = env?.BASIC_AUTH ? app.as(env.USERNAME!, env.PASSWORD!) : app
  app.prefill(0)
  const items = titles.map((title, index) => ({
    title,
    guid: title,
    enclosure: host.file(`/${title}.mp3`, speechOf(title)),
    date: new Date(Date.UTC(2026, 0, 20 - index)).toUTCString(),
    ...itemOf?.(title, host.origin),
  }))
  const podcast = await api.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const { store } = app.context
  const row = (title = titles[0]!) => {
    const { id } = store.episodes.knownOf(store.podcasts.allIds()[0]!).find(known => known.title === title)!
    return store.episodes.find(id)!
  }
  return {
    app,
    api,
    host,
    speech,
    now,
    podcast,
    store,
    row,
    /** Downloads an episode to the server. */
    async download(title = titles[0]!) {
      await api.episodes.download(row(title).eid)
      await app.event('downloadFinished', ({ episodeId }) => episodeId === row(title).id)
    },
    request: (title = titles[0]!) => api.transcriptions.request(row(title).uuid),
    stateOf: (title = titles[0]!) => store.transcriptions.findOfEpisode(row(title).id),
    /** Waits until the transcription of an episode has come into one of these states, now or before. */
    reached: (title: string, ...states: State[]) =>
      app.event('transcriptionProgress', event => event.episodeId === row(title).id && states.includes(event.state)),
    /** Waits until nothing is being sent. */
    settled: () => app.context.transcriptions.settled(),
    transcript: (title = titles[0]!) => api.episodes.transcript(row(title).uuid),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
      speech[Symbol.dispose]()
    },
  }
}
