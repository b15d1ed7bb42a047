import { expect, test } from 'bun:test'
import type { Chapter } from '../../../src/shared/api/texts'
import { createChapters } from '../../../src/ui/playback/chapters'
import { settled } from '../../support/settled'
import { createSleepTimer } from '../../../src/ui/playback/sleep-timer'
import { startPlayer, wrapper } from '../../support/player'

/** A sleep timer whose clock the test moves. */
function sleepOf(player: ReturnType<typeof startPlayer>['player'], starts: readonly number[] = []) {
  let time = 0
  let tick: (() => void) | null = null
  const chapters = createChapters({ player, load: async () => starts.map(startTime => ({ startTime }) as Chapter) })
  const clock = {
    now: () => time,
    setTimer: ((run: () => void) => {
      tick = run
      return 1
    }) as unknown as typeof setInterval,
    clearTimer: () => (tick = null),
  }
  return Object.assign(createSleepTimer({ player, chapters }, clock), {
    pass(seconds: number) {
      time += seconds * 1000
      tick?.()
    },
  })
}

test('a sleep timer fades the sound out, pauses, and leaves the volume as it was', async () => {
  const { player, audio } = startPlayer({ stored: { 'player.volume': '80' } })
  await player.play(wrapper(), 'Pod')
  const sleep = sleepOf(player)
  sleep.start(5)
  sleep.pass(60)
  expect([sleep.remaining.value, audio.calls.at(-1)]).toEqual([240, 'play'])
  sleep.pass(230)
  expect(audio.calls.at(-1)).toBe('volume 40')
  sleep.pass(10)
  expect([player.isPlaying.value, player.volume.value, sleep.choice.value]).toEqual([false, 80, null])
  expect(audio.calls.slice(-2)).toEqual(['pause', 'volume 80'])
})

test('a sleep timer can wait for the end of one episode, and can be cancelled', async () => {
  const { player, audio } = startPlayer()
  await player.play(wrapper(), 'Pod')
  const sleep = sleepOf(player)
  sleep.start('episode-end')
  expect([sleep.endsHere(), sleep.endsHere(), sleep.choice.value]).toEqual([true, false, null])
  sleep.start(5)
  sleep.pass(290)
  sleep.cancel()
  expect(audio.calls.at(-1)).toBe('volume 100')
  sleep.pass(100)
  expect([player.isPlaying.value, sleep.remaining.value]).toEqual([true, null])
  sleep.start(5)
  player.clear()
  expect(sleep.choice.value).toBe(null)
})

/**
 * An episode of 600 seconds that plays, with chapters from 100 and 200 on, and a timer that waits for the end of one.
 */
async function sleepAtChapterEnd() {
  const { player, audio } = startPlayer()
  const sleep = sleepOf(player, [0, 100, 200])
  const withChapters = wrapper()
  await player.play({ ...withChapters, podcastEpisode: { ...withChapters.podcastEpisode, has_chapters: true } }, 'Pod')
  await settled()
  audio.events.onTime(40)
  sleep.start('chapter-end')
  return { player, sleep, at: (seconds: number) => audio.events.onTime(seconds) }
}

test('a sleep timer can wait for the end of a chapter, and says how long that takes at this speed', async () => {
  const { player, sleep, at } = await sleepAtChapterEnd()
  expect([sleep.remaining.value, sleep.secondsTo('episode-end')]).toEqual([60, 560])
  player.chooseRate(2)
  expect(sleep.remaining.value).toBe(30)
  at(99.9)
  expect(player.isPlaying.value).toBe(true)
  at(100.4)
  expect([player.isPlaying.value, sleep.choice.value]).toEqual([false, null])
})

test('a listener who goes to another chapter falls asleep at the end of that one', async () => {
  const { player, sleep, at } = await sleepAtChapterEnd()
  player.seek(150)
  expect([player.isPlaying.value, sleep.remaining.value]).toEqual([true, 50])
  player.seek(20)
  expect(sleep.remaining.value).toBe(80)
  at(101)
  expect(player.isPlaying.value).toBe(false)
})

test('the last chapter ends with the episode, and so does the queue', async () => {
  const { player, sleep, at } = await sleepAtChapterEnd()
  player.seek(300)
  at(599)
  expect([player.isPlaying.value, sleep.endsHere(), sleep.choice.value]).toEqual([true, true, null])
})

test('a chapter whose end lies in a part that is skipped puts to sleep behind that part', async () => {
  const { player, audio } = startPlayer({
    preferences: { skipMarked: true },
    markedParts: () => [{ start: 80, end: 140, titles: [] }],
  })
  const sleep = sleepOf(player, [0, 100, 200])
  const withChapters = wrapper()
  await player.play({ ...withChapters, podcastEpisode: { ...withChapters.podcastEpisode, has_chapters: true } }, 'Pod')
  await settled()
  audio.events.onTime(40)
  sleep.start('chapter-end')
  audio.events.onTime(80)
  expect([player.isPlaying.value, player.position.value, sleep.choice.value]).toEqual([false, 140, null])
})

test('a chapter that is followed by a marked one ends where it sleeps, and the marked one is skipped afterwards', async () => {
  const { player, audio } = startPlayer({
    preferences: { skipMarked: true },
    markedParts: () => [{ start: 100, end: 200, titles: [] }],
  })
  const sleep = sleepOf(player, [0, 100, 200])
  const withChapters = wrapper()
  await player.play({ ...withChapters, podcastEpisode: { ...withChapters.podcastEpisode, has_chapters: true } }, 'Pod')
  await settled()
  audio.events.onTime(40)
  sleep.start('chapter-end')
  audio.events.onTime(100.1)
  expect([player.isPlaying.value, player.position.value]).toEqual([false, 100.1])
  await player.resume()
  audio.events.onTime(100.2)
  expect(player.position.value).toBe(200)
})
