import { signal } from '@preact/signals-core'
import { expect, test } from 'bun:test'
import type { EpisodeWrapper } from '../../../src/shared/api/episode'
import type { ContinueWith } from '../../../src/shared/api/queue'
import { ApiError } from '../../../src/ui/api/client'
import { createContinuation, type PlayOrigin } from '../../../src/ui/playback/continuation'
import type { Playing } from '../../../src/ui/playback/state'
import type { Kept } from '../../../src/ui/state/kept'
import { settled } from '../../support/settled'

const episode = (id: string, { podcast = 'pod', finished = false, type = 'full' } = {}) =>
  ({
    podcastEpisode: {
      id,
      name: id,
      podcast_id: podcast,
      date_of_recording: `2026-01-0${id.charCodeAt(0) - 96}`,
      episode_type: type,
    },
    podcastHistoryItem: { finished },
  }) as unknown as EpisodeWrapper
const keptOf = (...wrappers: EpisodeWrapper[]) => wrappers.map(wrapper => ({ wrapper }) as Kept)

/** The end of a queue: a server that answers, or is away, and an episode in the bar. */
function start({ choice = 'podcast' as ContinueWith, kept = [] as readonly Kept[], isSerial = false } = {}) {
  const current = signal<Playing | null>(null)
  const isQueueEmpty = signal(true)
  const isConnected = signal(true)
  const playlist = signal<PlayOrigin | null>({ id: 'list', name: 'Evening', episode: 'a' })
  const choiceNow = signal(choice)
  const asked: string[] = []
  const answers = {
    following: episode('b') as EpisodeWrapper | null,
    list: ['a', 'b', 'c'].map(id => episode(id)),
    newest: ['a', 'z'].map(id => episode(id)),
    failure: null as unknown,
    /** A promise that the answer about the following episode waits for. */
    wait: Promise.resolve(),
  }
  function answer<T>(name: string, value: T) {
    asked.push(name)
    if (answers.failure) throw answers.failure
    return value
  }
  const log: string[] = []
  const continuation = createContinuation({
    play: async ({ podcastEpisode }) => void log.push(`play ${podcastEpisode.id}`),
    pause: () => void log.push('pause'),
    toasts: {
      done: (text, action) => {
        log.push(text)
        action?.run()
        return 0
      },
    },
    current,
    choice: choiceNow,
    isQueueEmpty,
    origin: { playlist, lead: id => void log.push(`lead ${id}`), forget: () => (playlist.value = null) },
    isConnected: () => isConnected.value,
    kept: signal(kept),
    isSerial: () => isSerial,
    api: {
      queues: {
        async following(id) {
          const found = answer(`following ${id}`, { episode: answers.following })
          await answers.wait
          return found
        },
      },
      playlists: {
        find: async id =>
          answer(`playlist ${id}`, { id, name: 'Evening', description: null, items: answers.list, rules: null }),
      },
      timeline: {
        page: async () =>
          answer('newest', {
            data: {
              data: answers.newest.map(({ podcastEpisode, podcastHistoryItem }) => ({
                podcast_episode: podcastEpisode,
                history: podcastHistoryItem,
              })),
            },
            next: null,
          }) as never,
      },
    },
  })
  return {
    continuation,
    current,
    isQueueEmpty,
    isConnected,
    playlist,
    choice: choiceNow,
    answers,
    asked,
    async show(id: string) {
      current.value = { episode: episode(id).podcastEpisode } as Playing
      await settled()
      return continuation.next.value?.wrapper.podcastEpisode.id ?? null
    },
    /** The episode that plays when the one in the bar ends. */
    async taken() {
      log.length = 0
      await continuation.follow()
      return log.at(-1)?.replace('play ', '') ?? null
    },
    log,
  }
}

test('nothing is looked for without the wish, nor while something waits in the queue', async () => {
  const off = start({ choice: 'nothing' })
  expect([await off.show('a'), await off.taken(), off.asked]).toEqual([null, null, []])
  const full = start()
  full.isQueueEmpty.value = false
  expect([await full.show('a'), full.asked]).toEqual([null, []])
  full.isQueueEmpty.value = true
  await settled()
  expect(full.continuation.next.value?.wrapper.podcastEpisode.id).toBe('b')
})

test.each([
  ['podcast', 'b', 'following a'],
  ['playlist', 'b', 'playlist list'],
  ['newest', 'z', 'newest'],
] as const)('after the queue comes what its listener chose: %s', async (choice, next, call) => {
  const { show, asked, taken, continuation } = start({ choice })
  expect([await show('a'), asked, await taken()]).toEqual([next, [call], next])
  expect(continuation.next.value?.with).toBe(choice)
})

test('its listener is told what continues, and may stop it', async () => {
  const { show, taken, log } = start()
  await show('a')
  await taken()
  expect(log).toEqual(['continued-with', 'pause', 'lead b', 'play b'])
})

test('what is played by hand while the answer is waited for stays', async () => {
  const { current, continuation, log } = start()
  current.value = { episode: episode('a').podcastEpisode } as Playing
  const following = continuation.follow()
  current.value = { episode: episode('x').podcastEpisode } as Playing
  await following
  expect(log).toEqual([])
})

test('a playlist goes on after the last of it that played, without finished ones, and begins where none of it did', async () => {
  const { show, answers, playlist } = start({ choice: 'playlist' })
  answers.list = [episode('a'), episode('b', { finished: true }), episode('c')]
  expect(await show('a')).toBe('c')
  expect(await show('c')).toBe(null)
  expect(await show('x')).toBe('a')
  playlist.value = null
  await settled()
  expect(await show('a')).toBe(null)
})

test('a playlist that is gone is forgotten', async () => {
  const { show, answers, playlist } = start({ choice: 'playlist' })
  answers.failure = new ApiError(404, 'playlist-not-found', 'gone')
  expect([await show('a'), playlist.value]).toEqual([null, null])
})

test('a listener may stop after this episode, and take that back; the next one is free again', async () => {
  const { show, continuation, taken } = start()
  await show('a')
  continuation.stopHere()
  expect([continuation.next.value, continuation.isStopped.value, await taken()]).toEqual([null, true, null])
  continuation.goOn()
  expect(await taken()).toBe('b')
  continuation.stopHere()
  await show('c')
  await show('a')
  expect([continuation.isStopped.value, await taken()]).toEqual([false, 'b'])
})

test('an answer about an earlier episode or wish is dropped', async () => {
  const { show, choice, continuation, answers } = start()
  const { promise, resolve } = Promise.withResolvers<void>()
  answers.wait = promise
  await show('a')
  answers.wait = Promise.resolve()
  answers.following = episode('d')
  await show('c')
  resolve()
  await settled()
  expect(continuation.next.value?.wrapper.podcastEpisode.id).toBe('d')
  choice.value = 'nothing'
  await settled()
  expect(continuation.next.value).toBe(null)
})

test('without the server only episodes of this device play, by the same rules', async () => {
  const kept = keptOf(
    episode('a'),
    episode('b', { finished: true }),
    episode('c', { type: 'trailer' }),
    episode('d'),
    episode('e', { podcast: 'other' }),
  )
  const after = async (choice: ContinueWith, isSerial = false) => {
    const { show, isConnected, asked } = start({ choice, kept, isSerial })
    isConnected.value = false
    return [await show('a'), asked.length]
  }
  expect(await after('podcast')).toEqual(['c', 0])
  expect(await after('podcast', true)).toEqual(['b', 0])
  expect(await after('newest')).toEqual(['e', 0])
  expect(await after('playlist')).toEqual([null, 0])
})

test('when the connection is lost meanwhile, what is not on this device is replaced; a playlist keeps its order', async () => {
  const { show, isConnected, taken, continuation } = start({ choice: 'playlist', kept: keptOf(episode('c')) })
  expect(await show('a')).toBe('b')
  isConnected.value = false
  await settled()
  expect(continuation.next.value?.wrapper.podcastEpisode.id).toBe('c')
  expect(await taken()).toBe('c')
})

test('a server that cannot be reached, of which the page has not heard yet, counts as away; a refusal does not', async () => {
  const { show, answers } = start({ kept: keptOf(episode('d')) })
  answers.failure = new ApiError(0, 'offline', 'away')
  expect(await show('a')).toBe('d')
  answers.failure = new ApiError(404, 'episode-not-found', 'gone')
  expect(await show('b')).toBe(null)
})
