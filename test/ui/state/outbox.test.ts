import { expect, test } from 'bun:test'
import type { EpisodeWrapper } from '../../../src/shared/api/episode'
import { ApiError } from '../../../src/ui/api/client'
import { keepActs } from '../../../src/ui/state/keep-acts'
import { queuedLater, revise } from '../../../src/ui/state/revise'
import { settled } from '../../support/settled'
import { createMemoryStorage } from '../../support/memory-storage'

const wrapper = (id: string) =>
  ({ podcastEpisode: { id, episode_id: `eid-${id}`, favored: false }, podcastHistoryItem: null }) as EpisodeWrapper

/** A page over the storage of its browser, and a server that answers with `status`. */
function start(storage = createMemoryStorage()) {
  const server = { status: 200, args: {}, after: null as number | null, sent: [] as string[] }
  const pauses: { work: () => void; ms: number }[] = []
  const late: string[] = []
  const answer = async (text: string) => {
    if (server.status !== 200) throw new ApiError(server.status, 'unexpected', 'no', server.args, null, server.after)
    server.sent.push(text)
    return {}
  }
  const raw = {
    episodes: { like: (id: string, on: boolean) => answer(`like ${id} ${on}`) },
    queue: {
      add: ({ episode, at }: { episode: string; at: string }) => answer(`queue ${episode} ${at}`),
      remove: (id: string) => answer(`remove ${id}`),
    },
    playback: {
      save: ({ podcastEpisodeId, timestamp }: { podcastEpisodeId: string; timestamp?: string }) =>
        answer(`mark ${podcastEpisodeId}${timestamp ? ' late' : ''}`),
    },
  }
  const needs = {
    later: (work: () => void, ms: number) => pauses.push({ work, ms }),
    onLate: () => void late.push(server.sent.join()),
  }
  return { server, storage, pauses, late, ...keepActs(raw as never, storage, needs) }
}

test('what is done without the server is sent in its order, also if the tab was killed in the meantime', async () => {
  const { server, storage, api } = start()
  server.status = 0
  // Without waiting: each is kept before anything is sent.
  const done = [
    api.queue.add({ episode: 'fog', at: 'last' }, wrapper('fog')),
    api.episodes.like('fog', true),
    api.playback.mark({ podcastEpisodeId: 'eid-fog', time: 60, finished: true }),
    api.episodes.like('fog', false),
    api.queue.add({ episode: 'gale', at: 'next' }),
  ]
  expect(JSON.parse(storage.stored.get('outbox')!)).toHaveLength(5)
  expect(await Promise.all(done)).toEqual([null, null, null, null, null])

  const next = start(storage)
  await next.api.queue.remove('later:gale')
  expect(await next.flush()).toBe(true)
  expect(next.server.sent).toEqual(['queue fog last', 'like fog true', 'mark eid-fog late', 'like fog false'])
  expect([storage.stored.size, await next.flush()]).toEqual([0, false])
})

test('with the server an act is sent at once, and after those that are kept; a refusal drops it alone', async () => {
  const { server, storage, api } = start()
  await api.playback.mark({ podcastEpisodeId: 'eid-fog', time: 0, finished: false })
  server.status = 503
  await api.episodes.like('fog', true)
  server.status = 404
  expect(await api.queue.remove('gone').catch(({ status }) => status)).toBe(404)
  expect(storage.stored.size).toBe(0)
  server.status = 200
  await api.episodes.like('gale', true)
  expect(server.sent).toEqual(['mark eid-fog', 'like gale true'])
})

test('acts refused for now are sent after the pause that the server asks for, or a longer one each time', async () => {
  const { server, storage, api, pauses, late } = start()
  server.status = 0
  await api.episodes.like('fog', true)
  expect(pauses).toEqual([])
  server.status = 429
  server.after = 7
  await api.episodes.like('gale', true)
  await api.episodes.like('haze', true)
  expect(pauses.map(({ ms }) => ms)).toEqual([7000])
  for (const [status, after] of [
    [503, null],
    [507, null],
    [503, 86_400],
  ] as const) {
    Object.assign(server, { status, after })
    pauses.at(-1)!.work()
    await settled()
  }
  expect(pauses.map(({ ms }) => ms)).toEqual([7000, 30_000, 60_000, 600_000])
  server.status = 200
  pauses.at(-1)!.work()
  await settled()
  expect(late).toEqual(['like fog true,like gale true,like haze true'])
  expect([storage.stored.size, pauses.length]).toEqual([0, 4])
})

test('an act on which the server fails with a bug holds up no other', async () => {
  const { server, storage, api } = start()
  server.status = 500
  expect(await api.episodes.like('fog', true)).toBeNull()
  server.args = { requestId: 'one' }
  expect(await api.queue.remove('item-fog').catch(({ status }) => status)).toBe(500)
  expect(storage.stored.size).toBe(0)
})

test('an attempt that the browser refuses leaves the acts for the next one', async () => {
  const { server, api } = start()
  const failure = new DOMException('The document is not active', 'InvalidStateError')
  const locks = { request: () => Promise.reject(failure) }
  Object.defineProperty(navigator, 'locks', { configurable: true, value: locks })
  try {
    expect(await api.episodes.like('fog', true).catch((error: unknown) => error)).toBe(failure)
  } finally {
    Reflect.deleteProperty(navigator, 'locks')
  }
  await api.episodes.like('gale', true)
  expect(server.sent).toEqual(['like fog true', 'like gale true'])
})

test('without the server the last library shows what was done since', async () => {
  const { server, api, acts } = start()
  server.status = 0
  await api.episodes.like('fog', true)
  await api.playback.mark({ podcastEpisodeId: 'eid-gale', time: 60, total: 60, finished: true })
  await api.queue.add({ episode: 'gale', at: 'next' }, wrapper('gale'))
  await api.queue.remove('item-old')
  const positions = { 'eid-fog': { podcastEpisodeId: 'eid-fog', time: 20, timestamp: new Date(0).toISOString() } }
  const show = (data: unknown, path: string) => revise(data, path, { acts: acts.list(), positions })

  expect(show([wrapper('fog'), wrapper('gale')], '/api/v1/podcasts/p/episodes')).toMatchObject([
    { podcastEpisode: { favored: true }, podcastHistoryItem: { position: 20, finished: false } },
    { podcastEpisode: { favored: false }, podcastHistoryItem: { position: 60, finished: true } },
  ])
  expect(show({ data: [{ podcast_episode: wrapper('fog').podcastEpisode }] }, '/timeline')).toMatchObject({
    data: [{ podcast_episode: { favored: true }, history: { position: 20 } }],
  })
  const items = [
    { id: 'item-old', ...wrapper('old') },
    { id: 'item-fog', ...wrapper('fog') },
  ]
  expect(show({ version: 1, items }, '/api/v1/queue')).toMatchObject({
    items: [{ id: 'later:gale' }, { id: 'item-fog' }],
  })
})

test('an episode that is queued once more without the server moves, and is never there twice', () => {
  const items = ['a', 'b', 'c'].map(id => ({ id: `item-${id}`, ...wrapper(id) })) as never
  const names = (at: 'next' | 'last' | number, id = 'b') =>
    queuedLater(items, wrapper(id), at)
      .map(({ podcastEpisode }) => podcastEpisode.id)
      .join('')
  expect([names('next'), names('last'), names(0, 'd'), names(2, 'd')]).toEqual(['bac', 'acb', 'dabc', 'abdc'])
})
