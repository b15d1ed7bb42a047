import { signal } from '@preact/signals-core'
import { beforeEach, expect, test } from 'bun:test'
import type { EpisodeWrapper } from '../../../src/shared/api/episode'
import { createMediaEngine, type EngineEvents } from '../../../src/ui/playback/engine'
import { createPlayback } from '../../../src/ui/playback/playback'
import { settled } from '../../support/settled'

const episode = (id: string, position: number | null = 0) =>
  ({
    id: `item-${id}`,
    podcastEpisode: {
      id,
      episode_id: `eid-${id}`,
      podcast_id: 'pod',
      name: id,
      local_url: `/media/${id}.mp3`,
      local_image_url: `/covers/${id}`,
      total_time: 600,
    },
    podcastHistoryItem: position === null ? null : { position, total: 600, finished: false },
  }) as unknown as EpisodeWrapper & { id: string }

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
// happy-dom has none.
Object.assign(globalThis, { MediaError: { MEDIA_ERR_NETWORK: 2 } })

/** The element of the player that was made last. */
let audio: HTMLAudioElement
const Audio = globalThis.Audio
globalThis.Audio = class extends Audio {
  constructor() {
    super()
    audio = this as HTMLAudioElement
  }
}
/** Lets the episode that plays come to its end. */
const end = () => audio.dispatchEvent(new Event('ended'))

/** The player of a page, with a queue, an empty device and a server that knows every episode. */
function start({ queued = [] as string[], kept = [] as string[], unsent = null as { time: number } | null } = {}) {
  const items = signal(queued.map(id => episode(id)))
  const log: string[] = []
  const server = { isDown: false }
  const playback = createPlayback({
    api: {
      playback: { find: async () => ({ position: 0, total: null, finished: false }) },
      podcasts: {
        preferences: async () => ({ speed: null, boost: null, skipIntro: 0, skipOutro: 0, skipMarked: false }),
        find: async () => ({ name: 'Pod' }),
      },
      skipMarks: { ofEpisode: async () => [] },
      episodes: {
        find: async (eid: string) => {
          if (server.isDown) throw new Error('down')
          return episode(eid.replace('eid-', ''), 120)
        },
      },
    } as never,
    kept: {
      episodes: signal(kept.map(id => ({ wrapper: episode(id), podcastName: 'Pod', bytes: 1 }))),
      ids: signal(new Set(kept.map(id => `eid-${id}`))),
      addressOf: async () => null,
      recordProgress: ({ podcastEpisodeId, time }) => void log.push(`recorded ${podcastEpisodeId} ${time}`),
    },
    pendingProgress: {
      save: async ({ podcastEpisodeId, time }) => void log.push(`saved ${podcastEpisodeId} ${time}`),
      find: () => unsent as never,
    },
    queue: { items: items as never, continueWith: signal('nothing'), find: () => undefined },
    downloads: { byEpisode: signal(new Map()) },
    isConnected: () => false,
    isOffline: () => true,
    mayRedirect: false,
    client: null as never,
    library: { byId: signal(new Map([['pod', { name: 'Pod' }]])) as never },
    changes: { listen: () => () => undefined },
    skipLengths: { lengths: signal({ back: 30, forward: 30 } as const) },
    toasts: { done: text => log.push(text), failed: text => log.push(text), dismiss: () => [] },
    failed: error => void log.push(String(error)),
    prefix: '',
  })
  const names = () => playback.upcoming.value.map(({ podcastEpisode }) => podcastEpisode.name).join('')
  const playing = () => playback.player.current.value?.episode.name
  return { playback, player: playback.player, log, server, names, playing }
}

test('what plays is not among what comes next, and without it nothing comes next', async () => {
  const { playback, player, names } = start({ queued: ['a', 'b', 'c'] })
  expect([names(), playback.next.value]).toEqual(['abc', undefined])
  await player.play(episode('a'), 'Pod')
  expect([names(), playback.next.value?.podcastEpisode.name]).toEqual(['bc', 'b'])
})

test('an episode that ends is recorded here and at the server, and the next one in the queue begins', async () => {
  const { player, log, playing } = start({ queued: ['a', 'b'], kept: ['b'] })
  await player.play(episode('a'), 'Pod')
  end()
  await settled()
  expect(log.slice(0, 2)).toEqual(['recorded eid-a 600', 'saved eid-a 600'])
  expect([playing(), player.current.value?.podcastName]).toEqual(['b', 'Pod'])
})

test('without the server the queue skips what is not on this device, and says how many', async () => {
  const { player, log, playing } = start({ queued: ['a', 'b', 'c', 'd'], kept: ['d'] })
  await player.play(episode('a'), 'Pod')
  end()
  await settled()
  expect([playing(), log.filter(line => line.includes('skipped'))]).toEqual(['d', ['playlist-skipped']])
})

test('without the server what follows goes by the choice of last time, on this device', async () => {
  localStorage.setItem('player.continue', 'newest')
  const { playback, player, playing, log } = start({ kept: ['b'] })
  await player.play(episode('a'), 'Pod')
  await import('../../../src/ui/playback/continuation')
  await settled()
  expect(playback.continuation.value?.next.value?.wrapper.podcastEpisode.name).toBe('b')
  end()
  await settled()
  expect([playing(), log.includes('continued-with')]).toEqual(['b', true])
})

test('a sleep timer that waits for the end of the episode lets nothing follow', async () => {
  const { playback, player, playing } = start({ queued: ['a', 'b'] })
  await player.play(episode('a'), 'Pod')
  await settled()
  playback.extras.value!.sleepTimer.start('episode-end')
  end()
  await settled()
  expect([playing(), player.isPlaying.value]).toEqual(['a', false])
})

test('the last episode is put back into the bar, paused where it was', async () => {
  localStorage.setItem('player.episode', 'eid-a')
  const { playback, player, playing } = start()
  await playback.restore()
  expect([playing(), player.position.value, player.isPlaying.value]).toEqual(['a', 120, false])
})

test('a position that the server does not have yet counts', async () => {
  localStorage.setItem('player.episode', 'eid-a')
  const { playback, player } = start({ unsent: { time: 300 } })
  await playback.restore()
  expect(player.position.value).toBe(300)
})

test('nothing is put back where nothing was played, the server is away, or somebody plays something else by now', async () => {
  const never = start()
  await never.playback.restore()
  expect(never.playing()).toBeUndefined()

  localStorage.setItem('player.episode', 'eid-a')
  const away = start()
  away.server.isDown = true
  await away.playback.restore()
  expect(away.playing()).toBeUndefined()

  const busy = start()
  const restoring = busy.playback.restore()
  await busy.player.play(episode('b'), 'Pod')
  await restoring
  expect(busy.playing()).toBe('b')
})

/** An engine over the elements of the page, and a note of what it reports. */
function startEngine(options: { mayRedirect?: boolean } = {}) {
  const [audio, video] = [document.createElement('audio'), document.createElement('video')]
  const log: string[] = []
  const names = [
    'onTime',
    'onDuration',
    'onPlaying',
    'onPaused',
    'onWaiting',
    'onEnded',
    'onFailed',
    'onSeekRefused',
    'onSeekSlow',
    'onBuffered',
  ] as const
  const events = Object.fromEntries(
    names.map(name => [
      name,
      (value?: unknown) => void log.push(value === undefined ? name : `${name} ${String(value)}`),
    ]),
  ) as unknown as EngineEvents
  const engine = createMediaEngine({ audio, video }, events, options)
  const fire = (element: HTMLMediaElement, type: string) => void element.dispatchEvent(new Event(type))
  return { engine, audio, video, log, fire }
}

test('the engine reports what its element does', () => {
  const { engine, audio, log, fire } = startEngine()
  engine.load('/media/a.mp3', 0, { isVideo: false })
  log.length = 0
  for (const type of ['waiting', 'playing', 'timeupdate', 'pause', 'ended', 'durationchange', 'error'])
    fire(audio, type)
  expect(log).toEqual([
    'onWaiting true',
    'onWaiting false',
    'onPlaying',
    'onTime 0',
    'onPaused',
    'onEnded',
    'onDuration null',
    'onFailed false',
  ])
})

test('a server that redirects to a bucket is asked to, and sends the file itself if the bucket is out of reach', () => {
  const { engine, audio, log, fire } = startEngine({ mayRedirect: true })
  const address = () => audio.getAttribute('src')
  const failures = () => log.filter(entry => entry.startsWith('onFailed'))
  engine.load('/media/a.mp3', 90, { isVideo: false })
  expect(address()).toBe('/media/a.mp3?direct=1')
  fire(audio, 'error')
  expect([address(), failures()]).toEqual(['/media/a.mp3', []])
  fire(audio, 'loadedmetadata')
  expect(audio.currentTime).toBe(90)
  fire(audio, 'error')
  expect(failures()).toEqual(['onFailed false'])

  engine.load('/media/b.mp3?apiKey=key', 0, { isVideo: false })
  expect(address()).toBe('/media/b.mp3?apiKey=key&direct=1')
  engine.load('blob:kept', 0, { isVideo: false })
  expect(address()).toBe('blob:kept')
})

test('a video plays in the other element, as loud and as fast, and the first one is heard no more', () => {
  const { engine, audio, video, log, fire } = startEngine()
  engine.setVolume(40)
  engine.setRate(2)
  engine.load('/media/a.mp3', 0, { isVideo: false })
  engine.load('/media/b.mp4', 0, { isVideo: true })
  expect([audio.hasAttribute('src'), video.getAttribute('src'), video.volume]).toEqual([false, '/media/b.mp4', 0.4])
  expect(video.defaultPlaybackRate).toBe(2)
  log.length = 0
  fire(audio, 'ended')
  expect(log).toEqual([])
  fire(video, 'ended')
  expect(log).toEqual(['onEnded'])
})

test('the engine begins where it is told to, once it knows the file', () => {
  const { engine, audio, fire } = startEngine()
  engine.load('/media/a.mp3', 90, { isVideo: false })
  expect(audio.currentTime).toBe(0)
  fire(audio, 'loadedmetadata')
  expect(audio.currentTime).toBe(90)
})

test('an empty element is no failure, and above 100 percent the element itself is at its loudest', () => {
  const { engine, audio, log, fire } = startEngine()
  engine.load('/media/a.mp3', 0, { isVideo: false })
  engine.setVolume(250)
  expect(audio.volume).toBe(1)
  engine.clear()
  log.length = 0
  fire(audio, 'error')
  expect([log, audio.hasAttribute('src')]).toEqual([[], false])
})

/** Makes an element answer as one does whose host sends no parts. */
function answering(element: HTMLMediaElement, at: number, seeking = false) {
  Object.defineProperty(element, 'currentTime', { get: () => at, set: () => {}, configurable: true })
  Object.defineProperty(element, 'seeking', { get: () => seeking, configurable: true })
  Object.defineProperty(element, 'duration', { get: () => Infinity, configurable: true })
}

test('the engine reports once that its element does not go where it was told to', () => {
  const { engine, audio, log, fire } = startEngine()
  engine.load('/media/a.mp3', 120, { isVideo: false })
  answering(audio, 0, true)
  fire(audio, 'loadedmetadata')
  log.length = 0
  fire(audio, 'timeupdate')
  expect(log).toEqual([])
  answering(audio, 0)
  fire(audio, 'timeupdate')
  fire(audio, 'timeupdate')
  expect(log).toEqual(['onSeekRefused 0', 'onTime 0', 'onTime 0'])
})

test('an element that is where it was told to go is not complained about', () => {
  const { engine, audio, log, fire } = startEngine()
  engine.load('/media/a.mp3', 120, { isVideo: false })
  answering(audio, 118)
  for (const type of ['loadedmetadata', 'timeupdate']) fire(audio, type)
  engine.load('/media/a.mp3', 0, { isVideo: false })
  answering(audio, 0)
  for (const type of ['loadedmetadata', 'timeupdate']) fire(audio, type)
  expect(log.filter(line => line.startsWith('onSeekRefused'))).toEqual([])
})

test('the engine reports once that a jump in a stream without a length takes long', () => {
  const { engine, audio, log, fire } = startEngine()
  const slow = () => log.filter(line => line === 'onSeekSlow').length
  engine.load('/media/a.mp3', 120, { isVideo: false })
  answering(audio, 120, true)
  fire(audio, 'loadedmetadata')
  for (let count = 0; count < 8; count++) fire(audio, 'progress')
  expect(slow()).toBe(0)
  for (let count = 0; count < 8; count++) fire(audio, 'progress')
  fire(audio, 'stalled')
  expect(slow()).toBe(1)
  answering(audio, 120)
  fire(audio, 'seeked')
  fire(audio, 'stalled')
  expect(slow()).toBe(1)
})
