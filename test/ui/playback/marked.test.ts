import { expect, test } from 'bun:test'
import type { Part } from '../../../src/ui/state/marked-parts'
import { settled } from '../../support/settled'
import { heard, startPlayer, wrapper } from '../../support/player'

const part = (start: number, end: number, title = 'Sponsor'): Part => ({ start, end, titles: [title] })
const skipping = { skipMarked: true }

async function playing(parts: readonly Part[], preferences: Parameters<typeof startPlayer>[0] = {}) {
  const world = startPlayer({ preferences: skipping, markedParts: () => parts, ...preferences })
  await world.player.play(wrapper(), 'Pod')
  world.audio.calls.length = 0
  return { ...world, at: (seconds: number) => world.audio.events.onTime(seconds) }
}

test('a marked part is skipped when it begins to play, saved where it continues, and announced', async () => {
  const { player, audio, saved, skipped, at } = await playing([part(100, 160)])
  at(99.9)
  expect(audio.calls).toEqual([])
  at(100.2)
  expect(audio.calls).toEqual(['seek 160'])
  expect(player.position.value).toBe(160)
  expect(saved.at(-1)).toMatchObject({ time: 160 })
  expect(skipped).toMatchObject([{ part: { start: 100, end: 160 }, at: 100, playing: { podcastName: 'Pod' } }])
  at(159.8)
  at(160.1)
  expect(audio.calls).toEqual(['seek 160'])
})

test('nothing is skipped unless the listener wants it for this podcast', async () => {
  const { player, audio, at, preferred } = await playing([part(100, 160)], { preferences: {} })
  at(101)
  expect(audio.calls).toEqual([])
  player.setSkipsMarked(true)
  expect(preferred).toEqual(['pod skips true'])
  at(102)
  expect(audio.calls).toEqual(['seek 160'])
})

test('a part that the listener goes to by hand is played, and skipped again when it begins by itself', async () => {
  const { player, audio, at } = await playing([part(100, 160)])
  player.seek(130)
  at(131)
  at(159)
  at(161)
  expect(audio.calls).toEqual(['seek 130'])
  player.seek(90)
  at(100)
  expect(audio.calls).toEqual(['seek 130', 'seek 90', 'seek 160'])
  player.skipBack()
  at(130.5)
  expect(audio.calls.slice(3)).toEqual(['seek 130'])
})

test('an episode that begins with a marked part, or resumes in one, continues behind it', async () => {
  const world = await playing([part(0, 45)])
  world.at(0.1)
  expect(world.audio.calls).toEqual(['seek 45'])
  const inside = startPlayer({ preferences: skipping, markedParts: () => [part(100, 160)] })
  await inside.player.play(wrapper({ position: 130, total: 600, finished: false }), 'Pod')
  inside.audio.events.onTime(130)
  expect(inside.audio.calls.at(-1)).toBe('seek 160')
  expect(inside.skipped).toMatchObject([{ at: 130 }])
})

test('an episode whose last part is marked ends there, as if it was played to its end', async () => {
  const { player, audio, ended, saved, skipped, at } = await playing([part(540, 600)])
  at(540)
  expect(ended).toEqual(['ended'])
  expect(saved.at(-1)).toMatchObject({ time: 600, total: 600 })
  expect([audio.calls.at(-1), player.isPlaying.value, skipped.length]).toEqual(['pause', false, 1])
  at(541)
  expect([ended.length, skipped.length]).toEqual([1, 1])
})

test('a part that leads into the outro is left to the outro, and one in the intro is skipped with it', async () => {
  const both = { preferences: { ...skipping, skipIntro: 30, skipOutro: 60 } }
  const { audio, ended, at } = await playing([part(20, 50), part(500, 560)], both)
  at(30)
  expect(audio.calls).toEqual(['seek 50'])
  at(500)
  expect(audio.calls).toEqual(['seek 50', 'seek 560'])
  expect(ended).toEqual([])
  at(560)
  expect(ended).toEqual(['ended'])
})

test('nothing is skipped while it is paused', async () => {
  const { player, audio, skipped, at } = await playing([part(100, 160)])
  player.pause()
  audio.calls.length = 0
  at(120)
  expect([audio.calls, skipped]).toEqual([[], []])
})

test('what another player has reached is no choice of this listener', async () => {
  const { player, audio, at } = await playing([part(100, 160)])
  player.seek(120)
  player.pause()
  // The server has answered what this player saved.
  await settled()
  player.played(heard(120))
  await player.resume()
  audio.calls.length = 0
  at(120)
  expect(audio.calls).toEqual(['seek 160'])
})
