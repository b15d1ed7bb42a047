import { expect, test } from 'bun:test'
import { startPlayer, wrapper } from '../../support/player'

test('an episode resumes at the position in its history, a finished one starts again', async () => {
  const { player, audio } = startPlayer()
  await player.play(wrapper({ position: 120, total: 600, finished: false }), 'Pod')
  expect(audio.calls).toContain('load /media/eid.mp3 at 120')
  const other = startPlayer()
  await other.player.play(wrapper({ position: 600, total: 600, finished: true }), 'Pod')
  expect(other.audio.calls).toContain('load /media/eid.mp3 at 0')
})

test('an episode without history asks the server for it, and starts at 0 if it was never played', async () => {
  const { player, audio, asked } = startPlayer({ history: { position: 42, total: 600 } })
  await player.play(wrapper(), 'Pod')
  expect(asked).toEqual(['eid'])
  expect(audio.calls).toContain('load /media/eid.mp3 at 42')
  const neverPlayed = startPlayer()
  await neverPlayed.player.play(wrapper(), 'Pod')
  expect(neverPlayed.audio.calls).toContain('load /media/eid.mp3 at 0')
})

test('the position is saved on pause, on seek, at the end, and every fifteen seconds', async () => {
  const { player, audio, saved, advance } = startPlayer()
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
  const { player, audio, saved } = startPlayer()
  player.leave()
  await player.play(wrapper(), 'Pod')
  audio.events.onTime(33)
  player.leave()
  expect(saved).toMatchObject([{ time: 33, leaving: true }])
})

test('a paused player follows what is heard elsewhere, and takes none of it back', async () => {
  const { player, audio, saved, advance } = startPlayer()
  const heard = (position: number, finished = false) =>
    player.edit(shown => ({ ...shown, ...wrapper({ position, total: 600, finished }) }))
  await player.play(wrapper(), 'Pod')
  audio.events.onTime(31)
  heard(5)
  expect(player.position.value).toBe(31)
  player.pause()
  heard(30)
  expect(player.position.value).toBe(31)

  advance(5000)
  heard(70)
  expect([player.position.value, audio.calls.at(-1)]).toEqual([70, 'seek 70'])
  player.leave()
  expect(saved.map(({ time }) => time)).toEqual([31])
  heard(600, true)
  expect([player.position.value, audio.calls.at(-1)]).toEqual([0, 'seek 0'])
})

test('back at the server, a paused player asks where its listener is by now', async () => {
  const reached = { position: 70, total: 600, finished: false }
  const { player, advance } = startPlayer({ history: reached })
  advance(5000)
  await player.show(wrapper({ position: 31, total: 600, finished: false }), 'Pod')
  await player.catchUp()
  expect(player.position.value).toBe(70)
})

test('after a reload the episode is shown paused at its position, and resumes there', async () => {
  const { player, audio } = startPlayer()
  await player.show(wrapper({ position: 77, total: 600, finished: false }), 'Pod')
  expect(player.position.value).toBe(77)
  expect(player.percentage.value).toBeCloseTo(12.8, 1)
  expect(audio.calls).not.toContain('play')
  await player.resume()
  expect(audio.calls).toContain('load /media/eid.mp3 at 77')
  expect(player.isPlaying.value).toBe(true)
})

test('playing another episode saves the position of the last one', async () => {
  const { player, audio, saved } = startPlayer()
  await player.play(wrapper(), 'Pod')
  audio.events.onTime(50)
  const next = wrapper()
  next.podcastEpisode = { ...next.podcastEpisode, episode_id: 'next', id: 'next' }
  await player.play(next, 'Pod')
  expect(saved).toMatchObject([{ podcastEpisodeId: 'eid', time: 50 }])
  expect(player.current.value?.episode.episode_id).toBe('next')
})

test('intro and outro are skipped, except when resuming inside the intro', async () => {
  const { player, audio, saved, ended } = startPlayer({ preferences: { skipIntro: 30, skipOutro: 60 } })
  await player.play(wrapper(), 'Pod')
  expect(audio.calls).toContain('load /media/eid.mp3 at 30')
  audio.events.onTime(539)
  expect(ended).toEqual([])
  audio.events.onTime(540)
  expect(ended).toEqual(['ended'])
  expect(audio.calls.at(-1)).toBe('pause')
  expect(saved.at(-1)).toMatchObject({ time: 600, total: 600 })
  const inIntro = startPlayer({ preferences: { skipIntro: 30 } })
  await inIntro.player.play(wrapper({ position: 10, total: 600, finished: false }), 'Pod')
  expect(inIntro.audio.calls).toContain('load /media/eid.mp3 at 10')
  const short = startPlayer({ preferences: { skipIntro: 30, skipOutro: 30 } })
  await short.player.play(wrapper(null, 20), 'Pod')
  expect(short.audio.calls).toContain('load /media/eid.mp3 at 0')
})

test('a chapter plays from its start, whatever the history says', async () => {
  const { player, audio } = startPlayer()
  await player.playAt(wrapper({ position: 120, total: 600, finished: false }), 'Pod', 300)
  expect(audio.calls).toContain('load /media/eid.mp3 at 300')
  await player.playAt(wrapper(), 'Pod', 30)
  expect(audio.calls).toContain('seek 30')
})

test('an episode that has ended stays at its end, whatever the element reports afterwards', async () => {
  const { player, audio } = startPlayer()
  await player.play(wrapper(), 'Pod')
  audio.events.onEnded()
  audio.events.onTime(598)
  expect(player.position.value).toBe(600)
})

test('a finished episode is shown at its start, also when only the server knows that it is finished', async () => {
  const { player } = startPlayer({ history: { position: 300, total: 600, finished: true } })
  await player.show(wrapper(), 'Pod')
  expect(player.position.value).toBe(0)
  await player.show(wrapper({ position: 300, total: 600, finished: true }), 'Pod')
  expect(player.position.value).toBe(0)
})

test('an intro longer than the episode is not skipped, and intro and outro together never skip the whole episode', async () => {
  const short = startPlayer({ preferences: { skipIntro: 30, skipOutro: 30 } })
  await short.player.show(wrapper(null, 20), 'Pod')
  expect(short.player.position.value).toBe(0)
  const both = startPlayer({ preferences: { skipIntro: 30, skipOutro: 30 } })
  await both.player.play(wrapper(null, 50), 'Pod')
  both.audio.events.onTime(31)
  expect([both.player.isPlaying.value, both.ended]).toEqual([true, []])
})

test('an episode that was only shown saves no position when the page is left', async () => {
  const { player, saved } = startPlayer()
  await player.show(wrapper({ position: 77, total: 600, finished: false }), 'Pod')
  player.leave()
  expect(saved).toEqual([])
})

test('a stream that can only begin at its start keeps the saved position until it gets there', async () => {
  const { player, audio, saved, failures, advance } = startPlayer()
  await player.play(wrapper({ position: 120, total: 600, finished: false }), 'Pod')
  audio.events.onSeekRefused(0)
  expect([failures, player.position.value]).toEqual([['seeking'], 0])
  for (const second of [20, 40, 119]) {
    advance(20_000)
    audio.events.onTime(second)
  }
  player.pause()
  expect(saved).toEqual([])
  await player.resume()
  advance(20_000)
  audio.events.onTime(121)
  expect(saved.map(({ time }) => time)).toEqual([121])
})

test('a stream in which nobody can jump says so, and stays where it is', async () => {
  const { player, audio, saved, failures } = startPlayer()
  await player.play(wrapper(null), 'Pod')
  audio.events.onTime(90)
  player.seek(300)
  audio.events.onSeekRefused(0)
  // The position before the jump comes back, as the jump was saved.
  expect(saved.map(({ time }) => time)).toEqual([300, 90])
  audio.calls.length = 0
  player.seek(200)
  player.skip(30)
  expect([audio.calls, failures]).toEqual([[], ['seeking', 'seeking', 'seeking']])
  expect(player.position.value).toBe(0)
  expect(saved).toHaveLength(2)
})

test('a stream that refused to seek ends like any other, and the next episode can seek', async () => {
  const { player, audio, saved } = startPlayer()
  await player.play(wrapper({ position: 500, total: 600, finished: false }), 'Pod')
  audio.events.onSeekRefused(0)
  audio.events.onTime(30)
  audio.events.onEnded()
  expect(saved.map(({ time }) => time)).toEqual([600])
  const next = wrapper({ position: 5, total: 600, finished: false })
  await player.play({ ...next, podcastEpisode: { ...next.podcastEpisode, episode_id: 'next' } }, 'Pod')
  player.seek(50)
  expect(audio.calls).toContain('seek 50')
})
