import { expect, test } from 'bun:test'
import { settled } from '../../support/settled'
import { startPlayer, wrapper } from '../../support/player'

test('after a broken connection, loading is retried with growing delays and resumes at the same position', async () => {
  const { player, audio, waiting, failures, saved } = startPlayer()
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
  expect([failures, saved.map(({ time }) => time)]).toEqual([[], [40]])
})

test('retries end with a failure when the connection does not return, and stop while paused', async () => {
  const { player, audio, waiting, failures } = startPlayer()
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

  const paused = startPlayer()
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
  const { player, audio, waiting, failures } = startPlayer()
  await player.play(wrapper(), 'Pod')
  audio.events.onFailed(false)
  expect([waiting.length, failures]).toEqual([0, ['playback']])
})

test('a retry that was scheduled before a pause does nothing after it', async () => {
  const { player, audio, waiting } = startPlayer()
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
  const { player, audio, waiting } = startPlayer()
  await player.play(wrapper(), 'Pod')
  for (const _ of [1, 2]) {
    audio.events.onFailed(true)
    waiting.at(-1)!.work()
    await settled()
  }
  expect(waiting.map(({ ms }) => ms)).toEqual([500, 500])
})

test('a returned connection is retried at once, but only if playback was waiting for it', async () => {
  const { player, audio } = startPlayer()
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
