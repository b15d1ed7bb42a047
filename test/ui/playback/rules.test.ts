import { signal } from '@preact/signals-core'
import { expect, test } from 'bun:test'
import type { Chapter } from '../../../src/shared/api/texts'
import { startBefore } from '../../../src/ui/playback/chapter-steps'
import { chapterAt } from '../../../src/ui/playback/chapters'
import { findPlayerAction, playerKeys } from '../../../src/ui/playback/keys'
import { createSound, createSwitch } from '../../../src/ui/playback/sound'
import { createMemoryStorage } from '../../support/memory-storage'

const chapters = [10, 60, 120].map(startTime => ({ startTime })) as Chapter[]

test('the chapter at a moment is the last one that has begun', () => {
  expect([0, 10, 59, 60, 500].map(position => chapterAt(chapters, position))).toEqual([-1, 0, 0, 1, 2])
  expect(chapterAt([], 30)).toBe(-1)
})

test('back leads to the start of the chapter, and within its first seconds to the one before it', () => {
  expect([119, 64, 63, 61].map(position => startBefore(chapters, position))).toEqual([60, 60, 10, 10])
  expect([startBefore(chapters, 11), startBefore(chapters, 2), startBefore([], 40)]).toEqual([0, 0, 0])
})

/** A player that notes what it is told. */
function createPlayer(isCurrent = true) {
  const log: string[] = []
  const note = (name: string) => (value?: number) => void log.push(value === undefined ? name : `${name} ${value}`)
  const player = {
    current: signal(isCurrent ? {} : null),
    isPlaying: signal(false),
    isWaiting: signal(false),
    volume: signal(50),
    toggle: note('toggle'),
    skipBack: note('back'),
    skipForward: note('forward'),
    setVolume: note('volume'),
  }
  const isOpen = signal(false)
  const press = (key: string) => findPlayerAction(player as never, isOpen, key)?.()
  return { player, isOpen, log, press }
}

test('every key does what it says while something plays', () => {
  const { player, log, press } = createPlayer()
  player.isPlaying.value = true
  for (const key of playerKeys.flatMap(({ keys }) => keys)) press(key)
  expect(log).toEqual(['toggle', 'toggle', 'back', 'back', 'forward', 'forward', 'volume 55', 'volume 45'])
})

test('keys that the page uses too are the player’s only while it plays, waits or is open', () => {
  const { player, isOpen, log, press } = createPlayer()
  press('ArrowUp')
  expect(log).toEqual([])
  for (const isInUse of [player.isPlaying, player.isWaiting, isOpen]) {
    isInUse.value = true
    press('ArrowUp')
    isInUse.value = false
  }
  press('k')
  expect(log).toEqual(['volume 55', 'volume 55', 'volume 55', 'toggle'])
})

test('without an episode no key is the player’s, and a key of something else never is', () => {
  const { log, press } = createPlayer(false)
  for (const key of ['k', ' ', 'ArrowUp']) press(key)
  const other = createPlayer()
  other.press('x')
  expect([log, other.log]).toEqual([[], []])
})

/** An engine that notes what reaches it. */
function startSound(stored: Record<string, string> = {}) {
  const calls: string[] = []
  const storage = createMemoryStorage(stored)
  const sound = createSound(
    {
      setRate: (rate: number) => calls.push(`rate ${rate}`),
      setVolume: (percent: number) => calls.push(`volume ${percent}`),
      setSkipSilence: (isOn: boolean) => calls.push(`skip silence ${isOn}`),
    } as never,
    storage,
  )
  return { sound, calls, storage }
}

test('the sound begins as this browser remembers it, and as usual where that is no number', () => {
  const { calls } = startSound({ 'player.rate': '1.5', 'player.volume': '120', 'player.skip-silence': 'on' })
  expect(calls).toEqual(['rate 1.5', 'volume 120', 'skip silence true'])
  expect(startSound({ 'player.rate': 'fast', 'player.volume': 'loud' }).calls.slice(0, 2)).toEqual([
    'rate 1',
    'volume 100',
  ])
})

test('the volume stays within its limits, in whole percents, and a change ends the silence', () => {
  const { sound, calls, storage } = startSound()
  sound.toggleMute()
  expect([sound.isMuted.value, calls.at(-1), sound.volume.value]).toEqual([true, 'volume 0', 100])
  for (const percent of [-20, 400, 54.6]) sound.setVolume(percent)
  expect(calls.slice(-3)).toEqual(['volume 0', 'volume 300', 'volume 55'])
  expect([sound.isMuted.value, storage.stored.get('player.volume')]).toEqual([false, '55'])
})

test('the usual speed and volume are chosen apart from those of the podcast that plays', () => {
  const { sound, calls, storage } = startSound({ 'player.rate': '1.25' })
  sound.setUsualRate(1.5)
  expect([sound.rate.value, calls.at(-1)]).toEqual([1.5, 'rate 1.5'])
  sound.prefer({ speed: 2, boost: 150, skipSilence: null })
  sound.setUsualRate(1.1)
  sound.setUsualVolume(80)
  expect([sound.rate.value, sound.volume.value]).toEqual([2, 150])
  sound.cycleRate()
  sound.prefer({ speed: null, boost: null, skipSilence: null })
  expect([sound.rate.value, sound.volume.value]).toEqual([1.1, 80])
  expect([storage.stored.get('player.rate'), storage.stored.get('player.volume')]).toEqual(['1.1', '80'])
})

test('a fade lowers the sound and nothing that is shown, and ends where it began', () => {
  const { sound, calls } = startSound({ 'player.volume': '80' })
  sound.fade(0.5)
  sound.fade(0.5)
  expect([calls.at(-1), sound.volume.value, calls.length]).toEqual(['volume 40', 80, 4])
  sound.fade(1)
  expect(calls.at(-1)).toBe('volume 80')
})

test('the wishes for a podcast change nothing that is remembered, and end with it', () => {
  const { sound, storage } = startSound({ 'player.rate': '1.25', 'player.volume': '80' })
  sound.prefer({ speed: 2, boost: 150, skipSilence: null })
  sound.cycleRate()
  sound.setVolume(200)
  expect([sound.rate.value, sound.volume.value]).toEqual([2.5, 200])
  sound.prefer({ speed: null, boost: null, skipSilence: null })
  expect([sound.rate.value, sound.volume.value]).toEqual([1.25, 80])
  sound.cycleRate()
  expect(storage.stored.get('player.rate')).toBe('1.5')
})

test('skipping silence is turned on and off, and remembered', () => {
  const { sound, calls, storage } = startSound()
  sound.toggleSkipSilence()
  expect([sound.skipsSilence.value, calls.at(-1)]).toEqual([true, 'skip silence true'])
  expect(startSound(Object.fromEntries(storage.stored)).sound.skipsSilence.value).toBe(true)
})

test('a switch is off at first, and remembers what it was', () => {
  const storage = createMemoryStorage()
  const first = createSwitch(storage, 'remaining')
  expect(first.isOn.value).toBe(false)
  first.toggle()
  expect(createSwitch(storage, 'remaining').isOn.value).toBe(true)
  first.toggle()
  expect(createSwitch(storage, 'remaining').isOn.value).toBe(false)
})
