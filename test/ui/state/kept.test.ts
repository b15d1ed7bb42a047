import { expect, test } from 'bun:test'
import type { EpisodeWrapper } from '../../../src/shared/api/episode'
import { createKept } from '../../../src/ui/state/kept'
import { createMemoryStorage } from '../../support/memory-storage'
import { createCalls, settled } from '../../support/settled'

const episode = (eid: string) =>
  ({
    podcastEpisode: {
      episode_id: eid,
      local_url: `/media/${eid}.mp3`,
      local_image_url: `/covers/${eid}`,
      description: 'long notes',
    },
    podcastHistoryItem: null,
  }) as EpisodeWrapper

/** A browser without episodes; its files come when the test says so. */
function start(storage = createMemoryStorage()) {
  const fetch = createCalls<[address: string, onProgress: (share: number) => void], number>()
  const log: string[] = []
  const files = {
    isPossible: true,
    fetch: fetch.call,
    addPicture: async (address: string) => void log.push(`picture ${address}`),
    addressOf: async (address: string) => `blob:${address}`,
    remove: async (address: string) => void log.push(`remove ${address}`),
    clear: async () => void log.push('clear'),
  }
  const kept = createKept(storage, files)
  /** Keeps an episode of 1000 bytes. */
  async function keep(eid: string) {
    const keeping = kept.keep(episode(eid), 'Pod')
    await fetch.answer(1000)
    await keeping
  }
  return { kept, fetch, log, storage, keep }
}

test('an episode is kept with its cover and without its notes, and the next visit finds it', async () => {
  const { kept, keep, log, storage } = start()
  await keep('one')
  expect(log).toEqual(['picture /covers/one?size=256'])
  expect(kept.episodes.value).toMatchObject([
    { podcastName: 'Pod', bytes: 1000, wrapper: { podcastEpisode: { episode_id: 'one', description: '' } } },
  ])
  expect([...start(storage).kept.ids.value]).toEqual(['one'])
})

test('the progress is shown, and ends with the file', async () => {
  const { kept, fetch } = start()
  void kept.keep(episode('one'), 'Pod')
  expect([...kept.running.value]).toEqual([['one', 0]])
  fetch.calls[0]!.args[1](0.5)
  expect([...kept.running.value]).toEqual([['one', 0.5]])
  await fetch.answer(1000)
  expect([kept.running.value.size, kept.ids.value.has('one')]).toEqual([0, true])
})

test('an episode that is here, or under way, is not fetched again', async () => {
  const { kept, fetch, keep } = start()
  void kept.keep(episode('one'), 'Pod')
  await kept.keep(episode('one'), 'Pod')
  expect(fetch.calls.length).toBe(1)
  await fetch.answer(1000)
  await kept.keep(episode('one'), 'Pod')
  expect(fetch.calls.length).toBe(1)
  await keep('two')
  expect(kept.ids.value.size).toBe(2)
})

test('a file that cannot be had is a failure, and nothing is kept', async () => {
  const { kept, fetch } = start()
  const attempt = kept.keep(episode('one'), 'Pod').catch((error: Error) => error.message)
  await fetch.refuse(new Error('gone'))
  expect([await attempt, kept.running.value.size, kept.episodes.value]).toEqual(['gone', 0, []])
})

test('a list without room is a failure, and the file is deleted again', async () => {
  const { kept, fetch, storage, log } = start()
  storage.isFull = true
  const attempt = kept.keep(episode('one'), 'Pod').catch((error: Error) => error.name)
  await fetch.answer(1000)
  expect([await attempt, log.at(-1)]).toEqual(['QuotaExceededError', 'remove /media/one.mp3'])
})

test('a removed episode takes its file along', async () => {
  const { kept, keep, log } = start()
  await keep('one')
  await kept.remove('one')
  await kept.remove('never here')
  expect([kept.episodes.value, log.slice(1)]).toEqual([[], ['remove /media/one.mp3']])
})

test('an episode that is here has an address of its own, any other has none', async () => {
  const { kept, keep } = start()
  await keep('one')
  expect([await kept.addressOf('one'), await kept.addressOf('two')]).toEqual(['blob:/media/one.mp3', null])
})

test('what another tab has kept meanwhile stays', async () => {
  const { keep, storage } = start()
  const other = start(storage)
  await keep('one')
  await other.keep('two')
  expect([...start(storage).kept.ids.value]).toEqual(['one', 'two'])
})

test('a position is recorded for when the server is away; near the end the episode is played', async () => {
  const { kept, keep } = start()
  await keep('one')
  kept.recordProgress({ podcastEpisodeId: 'one', time: 30, total: 600, timestamp: '2026-05-01T10:00:00Z' })
  const history = () => kept.episodes.value[0]!.wrapper.podcastHistoryItem
  expect(history()).toMatchObject({ position: 30, total: 600, finished: false, timestamp: '2026-05-01T10:00:00Z' })
  kept.recordProgress({ podcastEpisodeId: 'one', time: 40 })
  expect(history()).toMatchObject({ position: 40, total: 600, finished: false })
  kept.recordProgress({ podcastEpisodeId: 'one', time: 600, total: 600 })
  expect(history()).toMatchObject({ finished: true })
  kept.recordProgress({ podcastEpisodeId: 'other', time: 1 })
  expect(kept.episodes.value.length).toBe(1)
})

test('a position without room in the browser is no failure', async () => {
  const { kept, keep, storage } = start()
  await keep('one')
  storage.isFull = true
  kept.recordProgress({ podcastEpisodeId: 'one', time: 30 })
  expect(kept.episodes.value[0]!.wrapper.podcastHistoryItem).toBe(null)
})

test('the episodes stay with their user, and another one finds none', async () => {
  const { kept, keep, log } = start()
  await kept.belongTo('alice')
  log.length = 0
  await keep('one')
  await kept.belongTo('alice')
  expect([kept.isOf('alice'), kept.ids.value.size, log.includes('clear')]).toEqual([true, 1, false])
  await kept.belongTo('bob')
  expect([kept.isOf('bob'), kept.ids.value.size, log.at(-1)]).toEqual([true, 0, 'clear'])
})

test('signing out leaves nothing behind', async () => {
  const { kept, keep, storage, log } = start()
  await kept.belongTo('alice')
  await keep('one')
  await kept.clear()
  expect([storage.stored.size, kept.episodes.value, log.at(-1)]).toEqual([0, [], 'clear'])
  await settled()
})

test('a list that cannot be read is as good as none', () => {
  expect(start(createMemoryStorage({ kept: '{not json' })).kept.episodes.value).toEqual([])
})
