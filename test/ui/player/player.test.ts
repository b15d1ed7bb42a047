import { expect, spyOn, test } from 'bun:test'
import type { EpisodeWrapper } from '../../../src/shared/api/episode'
import type { EpisodeHistory, History, Progress } from '../../../src/shared/api/history'
import type { Preferences } from '../../../src/shared/api/settings'
import type { Engine, EngineEvents } from '../../../src/ui/player/engine'
import { createPlayer } from '../../../src/ui/player/player'
import { createCalls, settled } from '../../support/settled'
import { createSilenceDetector } from '../../../src/ui/player/silence'
import { createSleepTimer } from '../../../src/ui/player/sleep-timer'

/** An audio engine that records its calls and reports only what the test makes it report. */
function createAudio() {
  const calls: string[] = []
  let events: EngineEvents | null = null
  const engine: Engine = {
    load: (address, at) => calls.push(`load ${address} at ${at}`),
    play: async () => {
      calls.push('play')
      if (!audio.stuck) events!.onPlaying()
    },
    pause: () => {
      calls.push('pause')
      events!.onPaused()
    },
    seek: seconds => calls.push(`seek ${seconds}`),
    setRate: rate => calls.push(`rate ${rate}`),
    setVolume: percent => calls.push(`volume ${percent}`),
    setSkipSilence: isOn => isOn && calls.push('skip silence'),
    clear: () => calls.push('clear'),
  }
  const audio = {
    /** Whether `play` never begins to play. */
    stuck: false,
    calls,
    create: (given: EngineEvents) => {
      events = given
      return engine
    },
    get events() {
      return events!
    },
  }
  return audio
}

const wrapper = (history: Partial<History> | null = null, total_time = 600): EpisodeWrapper =>
  ({
    podcastEpisode: {
      id: 'row',
      episode_id: 'eid',
      podcast_id: 'pod',
      name: 'Fog',
      local_url: '/media/eid.mp3',
      total_time,
    },
    podcastHistoryItem: history,
  }) as EpisodeWrapper

function start({
  history = null as Partial<History> | null,
  stored = {} as Record<string, string>,
  preferences = {} as Partial<Preferences>,
  addressOf = async (_eid: string): Promise<string | null> => null,
  findHistory = null as ((eid: string) => Promise<EpisodeHistory>) | null,
} = {}) {
  const audio = createAudio()
  const saved: (Progress & { leaving: boolean })[] = []
  const asked: string[] = []
  const ended: string[] = []
  const failures: string[] = []
  const waiting: { work: () => void; ms: number }[] = []
  const storage = new Map(Object.entries(stored))
  let time = 0
  const player = createPlayer({
    createEngine: audio.create,
    findHistory: async eid => {
      asked.push(eid)
      if (findHistory) return findHistory(eid)
      return { position: 0, total: null, finished: false, ...history } as EpisodeHistory
    },
    preferencesOf: async () => ({ speed: null, boost: null, skipIntro: 0, skipOutro: 0, ...preferences }),
    addressOf,
    onEnded: () => void ended.push('ended'),
    save: async (progress, { leaving }) => void saved.push({ ...progress, leaving }),
    onFailed: reason => void failures.push(reason),
    storage: {
      getItem: key => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
      removeItem: key => void storage.delete(key),
    },
    now: () => time,
    later: (work, ms) => void waiting.push({ work, ms }),
  })
  return { waiting, failures, player, audio, saved, asked, ended, storage, advance: (ms: number) => (time += ms) }
}

test('an episode resumes at the position in its history, a finished one starts again', async () => {
  const { player, audio } = start()
  await player.play(wrapper({ position: 120, total: 600, finished: false }), 'Pod')
  expect(audio.calls).toContain('load /media/eid.mp3 at 120')
  const other = start()
  await other.player.play(wrapper({ position: 600, total: 600, finished: true }), 'Pod')
  expect(other.audio.calls).toContain('load /media/eid.mp3 at 0')
})

test('an episode without history asks the server for it, and starts at 0 if it was never played', async () => {
  const { player, audio, asked } = start({ history: { position: 42, total: 600 } })
  await player.play(wrapper(), 'Pod')
  expect(asked).toEqual(['eid'])
  expect(audio.calls).toContain('load /media/eid.mp3 at 42')
  const neverPlayed = start()
  await neverPlayed.player.play(wrapper(), 'Pod')
  expect(neverPlayed.audio.calls).toContain('load /media/eid.mp3 at 0')
})

test('the position is saved on pause, on seek, at the end, and every fifteen seconds', async () => {
  const { player, audio, saved, advance } = start()
  await player.play(wrapper(), 'Pod')
  advance(1000)
  audio.events.onTime(1)
  advance(20_000)
  audio.events.onTime(21.7)
  audio.events.onTime(21.9)
  advance(1000)
  audio.events.onTime(22.9)
  player.pause()
  player.seek(100)
  audio.events.onEnded()
  expect(saved.map(({ time }) => time)).toEqual([21, 22, 100, 600])
  expect(saved[0]).toMatchObject({ podcastEpisodeId: 'eid', total: 600, leaving: false })
})

test('a page that is left saves the position in a request that outlives it', async () => {
  const { player, audio, saved } = start()
  player.leave()
  await player.play(wrapper(), 'Pod')
  audio.events.onTime(33)
  player.leave()
  expect(saved).toMatchObject([{ time: 33, leaving: true }])
})

test('seeking stays within the episode, and skipping forward past the end ends it', async () => {
  const { player, asked, ended, saved, audio } = start()
  await player.play(wrapper(), 'Pod')
  player.seek(-5)
  expect(player.position.value).toBe(0)
  player.seek(5000)
  expect(player.position.value).toBe(600)
  player.seek(550)
  asked.length = 0
  player.skipForward()
  expect([player.position.value, ended]).toEqual([580, []])
  expect(asked).toEqual(['eid'])
  player.skipForward()
  expect([player.position.value, player.isPlaying.value, ended]).toEqual([600, false, ['ended']])
  expect(audio.calls.at(-1)).toBe('pause')
  expect(saved.at(-1)).toMatchObject({ time: 600, total: 600 })
  // No other episode follows, so the player stays at the end.
  player.skipForward()
  expect(ended).toEqual(['ended'])
  player.skipBack()
  expect(player.position.value).toBe(570)
})

test('skipping past the end also ends a paused episode, and an episode of unknown length has no end', async () => {
  const { player, ended } = start()
  await player.play(wrapper(), 'Pod')
  player.pause()
  player.seek(590)
  player.skipForward()
  expect([player.position.value, ended]).toEqual([600, ['ended']])
  const restored = start()
  await restored.player.show(wrapper({ position: 590, total: 600, finished: false }), 'Pod')
  restored.player.skipForward()
  await restored.player.resume()
  expect(restored.audio.calls).toContain('load /media/eid.mp3 at 0')
  const endless = start()
  await endless.player.play(wrapper(null, 0), 'Pod')
  endless.player.skipForward()
  expect([endless.player.position.value, endless.ended]).toEqual([30, []])
})

test('an audio of unknown length takes its total from the server', async () => {
  const { player, audio } = start({ history: { position: 0, total: 900 } })
  await player.play(wrapper(null, 0), 'Pod')
  audio.events.onDuration(null)
  await Promise.resolve()
  await Promise.resolve()
  expect(player.duration.value).toBe(900)
})

test('the speed cycles and is remembered, and the volume stays between 0 and 300', async () => {
  const { player, audio, storage } = start({ stored: { 'player.rate': '2.5', 'player.volume': '80' } })
  expect(audio.calls).toEqual(['rate 2.5', 'volume 80'])
  player.cycleRate()
  player.cycleRate()
  expect(player.rate.value).toBe(0.5)
  expect(storage.get('player.rate')).toBe('0.5')
  player.setVolume(999)
  expect(player.volume.value).toBe(300)
  player.toggleMute()
  expect(audio.calls.at(-1)).toBe('volume 0')
  player.toggleMute()
  expect(audio.calls.at(-1)).toBe('volume 300')
})

test('after a reload the episode is shown paused at its position, and resumes there', async () => {
  const { player, audio } = start()
  await player.show(wrapper({ position: 77, total: 600, finished: false }), 'Pod')
  expect(player.position.value).toBe(77)
  expect(player.percentage.value).toBeCloseTo(12.8, 1)
  expect(audio.calls).not.toContain('play')
  await player.resume()
  expect(audio.calls).toContain('load /media/eid.mp3 at 77')
  expect(player.isPlaying.value).toBe(true)
})

test('playing another episode saves the position of the last one', async () => {
  const { player, audio, saved } = start()
  await player.play(wrapper(), 'Pod')
  audio.events.onTime(50)
  const next = wrapper()
  next.podcastEpisode = { ...next.podcastEpisode, episode_id: 'next', id: 'next' }
  await player.play(next, 'Pod')
  expect(saved).toMatchObject([{ podcastEpisodeId: 'eid', time: 50 }])
  expect(player.current.value?.episode.episode_id).toBe('next')
})

test("a podcast's own speed and volume apply while it plays, and the usual ones stay unchanged", async () => {
  const stored = { 'player.rate': '1.25', 'player.volume': '80' }
  const { player, audio, storage } = start({ stored, preferences: { speed: 2, boost: 150 } })
  await player.play(wrapper(), 'Pod')
  expect([player.rate.value, player.volume.value]).toEqual([2, 150])
  expect(audio.calls).toContain('rate 2')
  player.cycleRate()
  player.setVolume(200)
  expect([storage.get('player.rate'), storage.get('player.volume')]).toEqual(['1.25', '80'])
})

test('intro and outro are skipped, except when resuming inside the intro', async () => {
  const { player, audio, saved, ended } = start({ preferences: { skipIntro: 30, skipOutro: 60 } })
  await player.play(wrapper(), 'Pod')
  expect(audio.calls).toContain('load /media/eid.mp3 at 30')
  audio.events.onTime(539)
  expect(ended).toEqual([])
  audio.events.onTime(540)
  expect(ended).toEqual(['ended'])
  expect(audio.calls.at(-1)).toBe('pause')
  expect(saved.at(-1)).toMatchObject({ time: 600, total: 600 })
  const inIntro = start({ preferences: { skipIntro: 30 } })
  await inIntro.player.play(wrapper({ position: 10, total: 600, finished: false }), 'Pod')
  expect(inIntro.audio.calls).toContain('load /media/eid.mp3 at 10')
  const short = start({ preferences: { skipIntro: 30, skipOutro: 30 } })
  await short.player.play(wrapper(null, 20), 'Pod')
  expect(short.audio.calls).toContain('load /media/eid.mp3 at 0')
})

test('a chapter plays from its start, whatever the history says', async () => {
  const { player, audio } = start()
  await player.playAt(wrapper({ position: 120, total: 600, finished: false }), 'Pod', 300)
  expect(audio.calls).toContain('load /media/eid.mp3 at 300')
  await player.playAt(wrapper(), 'Pod', 30)
  expect(audio.calls).toContain('seek 30')
})

test('pausing also works while buffering', async () => {
  const { player, audio } = start()
  await player.play(wrapper(), 'Pod')
  audio.events.onPaused()
  audio.events.onWaiting(true)
  player.pause()
  expect([player.isWaiting.value, player.isPlaying.value, audio.calls.at(-1)]).toEqual([false, false, 'pause'])
})

/** A sleep timer whose clock the test moves. */
function sleepOf(player: ReturnType<typeof start>['player']) {
  let time = 0
  let tick: (() => void) | null = null
  const timer = createSleepTimer(player, {
    now: () => time,
    setTimer: ((run: () => void) => {
      tick = run
      return 1
    }) as unknown as typeof setInterval,
    clearTimer: () => (tick = null),
  })
  return Object.assign(timer, {
    pass(seconds: number) {
      time += seconds * 1000
      tick?.()
    },
  })
}

test('a sleep timer fades the sound out, pauses, and leaves the volume as it was', async () => {
  const { player, audio } = start({ stored: { 'player.volume': '80' } })
  await player.play(wrapper(), 'Pod')
  const sleep = sleepOf(player)
  sleep.start(5)
  sleep.pass(60)
  expect([sleep.remaining.value, audio.calls.at(-1)]).toEqual([240, 'play'])
  sleep.pass(230)
  expect(audio.calls.at(-1)).toBe('volume 40')
  sleep.pass(10)
  expect([player.isPlaying.value, player.volume.value, sleep.until.value]).toEqual([false, 80, null])
  expect(audio.calls.slice(-2)).toEqual(['pause', 'volume 80'])
})

test('a sleep timer can wait for the end of one episode, and can be cancelled', async () => {
  const { player, audio } = start()
  await player.play(wrapper(), 'Pod')
  const sleep = sleepOf(player)
  sleep.start('episode-end')
  expect([sleep.endsHere(), sleep.endsHere(), sleep.until.value]).toEqual([true, false, null])
  sleep.start(5)
  sleep.pass(290)
  sleep.cancel()
  expect(audio.calls.at(-1)).toBe('volume 100')
  sleep.pass(100)
  expect([player.isPlaying.value, sleep.remaining.value]).toEqual([true, null])
  sleep.start(5)
  player.clear()
  expect(sleep.until.value).toBe(null)
})

test('after a broken connection, loading is retried with growing delays and resumes at the same position', async () => {
  const { player, audio, waiting, failures, saved } = start()
  await player.play(wrapper(), 'Pod')
  audio.events.onTime(40)
  audio.calls.length = 0
  audio.events.onFailed(true)
  // The element resets to 0, which is not a position to keep.
  audio.events.onTime(0)
  expect([player.position.value, player.isWaiting.value, player.isPlaying.value]).toEqual([40, true, false])
  audio.stuck = true
  waiting[0]!.work()
  await settled()
  audio.events.onFailed(false)
  expect(waiting[1]!.ms).toBeGreaterThan(waiting[0]!.ms)
  audio.stuck = false
  waiting[1]!.work()
  await settled()
  expect(audio.calls.filter(call => call.startsWith('load'))).toEqual([
    'load /media/eid.mp3 at 40',
    'load /media/eid.mp3 at 40',
  ])
  expect(player.isPlaying.value).toBe(true)
  expect([failures, saved]).toEqual([[], []])
})

test('retries end with a failure when the connection does not return, and stop while paused', async () => {
  const { player, audio, waiting, failures } = start()
  await player.play(wrapper(), 'Pod')
  audio.stuck = true
  audio.events.onFailed(true)
  for (let turn = 0; turn < waiting.length; turn++) {
    waiting[turn]!.work()
    await settled()
    audio.events.onFailed(false)
  }
  expect(failures).toEqual(['playback'])
  expect(waiting.length).toBe(7)

  const paused = start()
  await paused.player.play(wrapper(), 'Pod')
  paused.audio.events.onFailed(true)
  paused.player.pause()
  paused.audio.calls.length = 0
  paused.waiting[0]!.work()
  await settled()
  expect(paused.audio.calls).toEqual([])
  await paused.player.resume()
  expect(paused.audio.calls).toContain('load /media/eid.mp3 at 0')
})

test('an episode that cannot be played at all is not retried', async () => {
  const { player, audio, waiting, failures } = start()
  await player.play(wrapper(), 'Pod')
  audio.events.onFailed(false)
  expect([waiting.length, failures]).toEqual([0, ['playback']])
})

test('the pause between two words does not count as silence', () => {
  const isSilence = createSilenceDetector()
  const detect = (loudness: number, times: readonly number[]) => times.map(time => isSilence(loudness, time))
  expect(detect(0.2, [0, 20])).toEqual([false, false])
  expect(detect(0.001, [40, 200, 320])).toEqual([false, false, false])
  expect(detect(0.1, [340])).toEqual([false])
  expect(detect(0.001, [360, 600, 680, 900])).toEqual([false, false, true, true])
  expect(detect(0.05, [920])).toEqual([false])
})

const wrapperNamed = (name: string): EpisodeWrapper => {
  const { podcastEpisode, ...rest } = wrapper()
  return { ...rest, podcastEpisode: { ...podcastEpisode, id: name, episode_id: name, local_url: `/media/${name}.mp3` } }
}

test('an episode that has ended stays at its end, whatever the element reports afterwards', async () => {
  const { player, audio } = start()
  await player.play(wrapper(), 'Pod')
  audio.events.onEnded()
  audio.events.onTime(598)
  expect(player.position.value).toBe(600)
})

test('a finished episode is shown at its start, also when only the server knows that it is finished', async () => {
  const { player } = start({ history: { position: 300, total: 600, finished: true } })
  await player.show(wrapper(), 'Pod')
  expect(player.position.value).toBe(0)
  await player.show(wrapper({ position: 300, total: 600, finished: true }), 'Pod')
  expect(player.position.value).toBe(0)
})

test('an intro longer than the episode is not skipped, and intro and outro together never skip the whole episode', async () => {
  const short = start({ preferences: { skipIntro: 30, skipOutro: 30 } })
  await short.player.show(wrapper(null, 20), 'Pod')
  expect(short.player.position.value).toBe(0)
  const both = start({ preferences: { skipIntro: 30, skipOutro: 30 } })
  await both.player.play(wrapper(null, 50), 'Pod')
  both.audio.events.onTime(31)
  expect([both.player.isPlaying.value, both.ended]).toEqual([true, []])
})

test('a retry that was scheduled before a pause does nothing after it', async () => {
  const { player, audio, waiting } = start()
  await player.play(wrapper(), 'Pod')
  audio.events.onFailed(true)
  player.pause()
  await player.resume()
  audio.calls.length = 0
  waiting[0]!.work()
  await settled()
  expect([player.isPlaying.value, audio.calls]).toEqual([true, []])
})

test('retry delays start again once the connection has returned', async () => {
  const { player, audio, waiting } = start()
  await player.play(wrapper(), 'Pod')
  for (const _ of [1, 2]) {
    audio.events.onFailed(true)
    waiting.at(-1)!.work()
    await settled()
  }
  expect(waiting.map(({ ms }) => ms)).toEqual([500, 500])
})

test('a returned connection is retried at once, but only if playback was waiting for it', async () => {
  const { player, audio } = start()
  await player.play(wrapper(), 'Pod')
  audio.calls.length = 0
  player.reconnect()
  await settled()
  expect(audio.calls).toEqual([])
  audio.events.onFailed(true)
  player.reconnect()
  await settled()
  expect(audio.calls[0]).toBe('load /media/eid.mp3 at 0')
})

test('an episode stored on this device is played from the device', async () => {
  const { player, audio } = start({ addressOf: async eid => `blob:${eid}` })
  await player.play(wrapper(), 'Pod')
  expect(audio.calls).toContain('load blob:eid at 0')
})

test('an address found after another episode was chosen is not played', async () => {
  const { calls, call, answer } = createCalls<[string], string | null>()
  const { player, audio } = start({ addressOf: call })
  void player.play(wrapper(), 'Pod')
  await settled()
  void player.play(wrapperNamed('next'), 'Pod')
  await settled()
  expect(calls.map(({ args }) => args[0])).toEqual(['eid', 'next'])
  await answer(null, 1)
  await answer(null, 0)
  expect(audio.calls.filter(name => name.startsWith('load'))).toEqual(['load /media/next.mp3 at 0'])
})

test('an episode whose history arrives after another one was chosen does not start', async () => {
  const history = createCalls<[string], EpisodeHistory>()
  const { player, audio } = start({ findHistory: history.call })
  void player.play(wrapper(), 'Pod')
  void player.play(wrapperNamed('next'), 'Pod')
  const none = { position: 0, total: null, finished: false } as EpisodeHistory
  await history.answer({ ...none, position: 42 }, 1)
  await history.answer({ ...none, position: 7 }, 0)
  expect(audio.calls.filter(name => name.startsWith('load'))).toEqual(['load /media/next.mp3 at 42'])
  expect(player.position.value).toBe(42)
})

test('an episode that was only shown saves no position when the page is left', async () => {
  const { player, saved } = start()
  await player.show(wrapper({ position: 77, total: 600, finished: false }), 'Pod')
  player.leave()
  expect(saved).toEqual([])
})

test('the address of a file on this device is released when it is no longer needed', async () => {
  const released: string[] = []
  const revoke = spyOn(URL, 'revokeObjectURL').mockImplementation(address => void released.push(address))
  const address = createCalls<[string], string | null>()
  const { player } = start({ addressOf: address.call })
  void player.play(wrapper(), 'Pod')
  await settled()
  player.pause()
  await address.answer('blob:late')
  expect(released).toEqual(['blob:late'])
  for (const blob of ['blob:first', 'blob:second']) {
    await player.show(wrapperNamed(blob), 'Pod')
    void player.resume()
    await settled()
    await address.answer(blob)
  }
  expect(released).toEqual(['blob:late', 'blob:first'])
  revoke.mockRestore()
})
