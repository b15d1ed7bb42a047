import type { DestinationRequest } from '../../src/shared/api/notification'
import type { News } from '../../src/server/notify/news'
import { sealTarget } from '../../src/server/notify/secrets'
import { startClock, startTestApp, withPasswords, type TestApp } from './app'
import { startReceiver } from './receiver'

/** Everything about a destination but where it is. */
export const wishes = {
  name: 'Mine',
  events: ['newEpisodes', 'downloadFinished', 'downloadFailed', 'feedFailing', 'signedInElsewhere', 'accountAttacked'],
  timeZone: 'Europe/Berlin',
  language: 'en',
} as const satisfies Omit<DestinationRequest, 'kind' | 'events'> & { events: DestinationRequest['events'] }

type Wanted = Omit<Partial<DestinationRequest>, 'events'> & { events?: readonly DestinationRequest['events'][number][] }

export const webhookAt = (address: string, more: Wanted = {}): DestinationRequest =>
  ({ kind: 'webhook', address, ...wishes, ...more }) as DestinationRequest

/** A server with an admin and a clock that stands still, and a receiver of messages. */
export async function startNews(env: Record<string, string> = {}) {
  const receiver = startReceiver()
  const clock = startClock()
  const app = await startTestApp({ env: { ...withPasswords, ...env }, now: clock })
  const root = app.as('root', 'Sup3rSecret')
  const rootId = app.context.store.users.findByName('root')!.id
  return {
    app,
    root,
    rootId,
    clock,
    receiver,
    /** Lets so much time pass and delivers what is due. */
    async pass(ms: number) {
      clock.advance(ms)
      await deliver(app)
    },
    async [Symbol.asyncDispose]() {
      receiver[Symbol.dispose]()
      await app[Symbol.asyncDispose]()
    },
  }
}

export async function deliver({ context: { destinations } }: TestApp) {
  destinations.pump()
  await destinations.settled()
}

/** News of new episodes of one podcast. */
export const episodesOf = (podcastTitle: string, ...titles: string[]): News => ({
  types: ['newEpisodes'],
  facts: {
    episodeCount: titles.length,
    podcastCount: 1,
    podcasts: [{ id: podcastTitle, title: podcastTitle, episodeCount: titles.length }],
    episodes: titles.map(title => ({ id: title, title, podcastId: podcastTitle, podcastTitle })),
  },
})

/** Gives a user a destination at an address that is never reached; answers its id. */
export function plantHook(
  { context: { store, secret } }: TestApp,
  user_id: number,
  name: string,
  { kind = 'webhook', events = [] as DestinationRequest['events'] } = {},
): string {
  const address = 'http://192.0.2.1/'
  return store.destinations.add({
    user_id,
    kind,
    name,
    host: '192.0.2.1',
    target: sealTarget(secret, { address, token: null, secret: 'whsec_hush', keys: null }),
    has_token: 0,
    events: JSON.stringify(events),
    quiet_from: null,
    quiet_to: null,
    time_zone: 'UTC',
    language: 'en',
    base_url: 'http://localhost/',
    created_at: 1,
  })
}
