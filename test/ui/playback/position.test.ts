import { expect, test } from 'bun:test'
import { settled } from '../../support/settled'
import { heard, startPlayer, wrapper } from '../../support/player'

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

test('a paused player follows what is heard elsewhere, the start included, and takes none of it back', async () => {
  const { player, audio, saved } = startPlayer()
  await player.play(wrapper(), 'Pod')
  audio.events.onTime(31)
  player.played(heard(5))
  expect(player.position.value).toBe(31)
  player.pause()
  await settled()
  player.played(heard(30, { sender: 'this tab' }))
  expect(player.position.value).toBe(31)

  player.played(heard(70))
  expect([player.position.value, audio.calls.at(-1)]).toEqual([70, 'seek 70'])
  player.leave()
  expect(saved.map(({ time }) => time)).toEqual([31])
  player.played(heard(600, { finished: true }))
  expect([player.position.value, audio.calls.at(-1)]).toEqual([0, 'seek 0'])
  player.played(heard(50))
  player.played(heard(0))
  expect([player.position.value, audio.calls.at(-1)]).toEqual([0, 'seek 0'])
})

test('while a save is on its way, the server decides which of two positions is newer', async () => {
  const answer = Promise.withResolvers<void>()
  const latest = { position: 31, total: 600, finished: false }
  const { player, audio } = startPlayer({ history: latest, answered: () => answer.promise })
  await player.play(wrapper({ position: 20, total: 600, finished: false }), 'Pod')
  audio.events.onTime(31)
  player.pause()
  player.played(heard(25))
  expect(player.position.value).toBe(31)
  latest.position = 44
  answer.resolve()
  await settled()
  expect(player.position.value).toBe(44)
})

test('an episode that is marked with others, or whose marking is undone, is asked for', async () => {
  const latest = { position: 0, total: 600, finished: false }
  const { player } = startPlayer({ history: latest })
  await player.show(wrapper({ position: 31, total: 600, finished: false }), 'Pod')
  player.marked(['other'])
  await settled()
  expect(player.position.value).toBe(31)
  player.marked(['other', 'eid'])
  await settled()
  expect(player.position.value).toBe(0)
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

test('a speaker that begins at 0 when it was asked for a place takes nothing from it', async () => {
  const { player, audio, saved, advance } = startPlayer()
  await player.play(wrapper({ position: 300, total: 600, finished: false }), 'Pod')
  for (const second of [0, 3, 40]) {
    advance(20_000)
    audio.events.onTime(second)
  }
  player.pause()
  player.leave()
  expect(saved).toEqual([])
  player.seek(20)
  advance(20_000)
  audio.events.onTime(21)
  expect(saved.map(({ time }) => time)).toEqual([20])
})

test('a file that ends before the place is not played to its end: the place stays, and the listener hears why', async () => {
  const { player, audio, saved, ended, failures } = startPlayer()
  await player.play(wrapper({ position: 300, total: 600, finished: false }), 'Pod')
  audio.events.onDuration(120)
  audio.events.onTime(119.9)
  audio.events.onEnded()
  expect([saved, ended, failures, player.position.value]).toEqual([[], [], ['short'], 300])
  player.seek(0)
  await player.resume()
  audio.events.onTime(1)
  audio.events.onEnded()
  expect(saved.map(({ time, finished }) => [time, finished])).toEqual([
    [0, undefined],
    [600, true],
  ])
  expect(ended).toEqual(['ended'])
})

test("a browser's estimate replaces no length that the feed knows, and hides no place", async () => {
  const { player, audio, saved } = startPlayer()
  await player.play(wrapper({ position: 300, total: 600, finished: false }), 'Pod')
  audio.events.onDuration(250)
  expect(player.duration.value).toBe(600)
  audio.events.onTime(301)
  player.pause()
  audio.events.onDuration(900)
  player.seek(400)
  expect(saved.map(({ time, total }) => [time, total])).toEqual([
    [301, 600],
    [400, 600],
  ])
})

test('an episode that is longer than its feed says keeps a place beyond that, and continues there', async () => {
  const { player, audio, saved } = startPlayer()
  await player.play(wrapper({ position: 300, total: 600, finished: false }), 'Pod')
  audio.events.onTime(640)
  player.pause()
  expect(saved.at(-1)).toMatchObject({ time: 640, total: 640, finished: false })
  audio.calls.length = 0
  await player.resume()
  expect(audio.calls).toEqual(['play'])
})

test.each([
  ['59 seconds', 59_000, 300],
  ['a minute', 60_000, 297],
  ['an hour', 3_600_000, 290],
  ['a day', 86_400_000, 280],
])('after %s, playing begins a little before the place, which stays', async (_, ms, second) => {
  const { player, audio, saved, advance } = startPlayer()
  const timestamp = new Date(0).toISOString()
  advance(ms)
  await player.play(wrapper({ position: 300, total: 600, finished: false, timestamp }), 'Pod')
  expect(audio.calls).toContain(`load /media/eid.mp3 at ${second}`)
  audio.events.onTime(second)
  player.pause()
  expect(saved.filter(({ time }) => time < 300)).toEqual([])
  audio.events.onTime(310)
  advance(ms)
  await player.resume()
  expect(audio.calls.findLast(call => /seek|load/.test(call))).toBe(
    second === 300 ? 'load /media/eid.mp3 at 300' : `seek ${second + 10}`,
  )
})

test('a host that refuses the rewind after a pause is not complained about', async () => {
  const { player, audio, saved, failures, advance } = startPlayer()
  await player.play(wrapper(), 'Pod')
  audio.events.onTime(90)
  player.pause()
  advance(60_000)
  await player.resume()
  expect(audio.calls).toContain('seek 87')
  audio.events.onSeekRefused(90)
  audio.events.onTime(91)
  player.pause()
  expect([failures, saved.map(({ time }) => time)]).toEqual([[], [90, 91, 91]])
})

test('a paused player follows into a stream in which nobody can seek, and keeps that place', async () => {
  const { player, audio, saved } = startPlayer()
  await player.play(wrapper({ position: 300, total: 600, finished: false }), 'Pod')
  audio.events.onSeekRefused(0)
  audio.events.onTime(5)
  player.pause()
  player.played(heard(400))
  await player.resume()
  expect(audio.calls.findLast(call => call.startsWith('load'))).toBe('load /media/eid.mp3 at 400')
  audio.events.onTime(6)
  player.pause()
  expect(saved).toEqual([])
})

test('nothing is heard again where a listener chose the second, wants none of it, or would get into the intro', async () => {
  const chosen = startPlayer()
  await chosen.player.play(wrapper(), 'Pod')
  chosen.player.pause()
  chosen.advance(86_400_000)
  chosen.player.seek(100)
  await chosen.player.resume()
  expect(chosen.audio.calls.findLast(call => call.startsWith('seek'))).toBe('seek 100')

  const timestamp = new Date(0).toISOString()
  const history = { position: 35, total: 600, finished: false, timestamp }
  const unwanted = startPlayer({ skipLengths: () => ({ back: 30, forward: 30, rewind: false }) })
  unwanted.advance(86_400_000)
  await unwanted.player.play(wrapper(history), 'Pod')
  expect(unwanted.audio.calls).toContain('load /media/eid.mp3 at 35')
  const intro = startPlayer({ preferences: { skipIntro: 30 } })
  intro.advance(86_400_000)
  await intro.player.play(wrapper(history), 'Pod')
  expect(intro.audio.calls).toContain('load /media/eid.mp3 at 30')
})
