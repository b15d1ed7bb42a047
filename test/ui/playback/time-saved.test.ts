import { expect, test } from 'bun:test'
import { createTimeSaved } from '../../../src/ui/playback/time-saved'

/** Plays in steps of a quarter of a second; `pace`: seconds of the recording in a second. */
function start() {
  let now = 0
  let position = 100
  const time = createTimeSaved(() => now)
  const play = (seconds: number, pace: number, { rate = pace, trims = false } = {}) => {
    time.note(position, rate, trims)
    for (let step = 0; step < seconds * 4; step++) {
      now += 250
      position += pace / 4
      time.note(position, rate, trims)
    }
  }
  return { time, play, wait: (ms: number) => (now += ms), seek: (to: number) => (position = to) }
}

test('a higher speed saves what the clock did not need, and a slower one saves nothing', () => {
  const { time, play } = start()
  play(20, 1.5)
  expect(time.take()).toEqual({ saved: 10, trimmed: 0 })
  play(20, 0.75)
  play(8, 1)
  expect(time.take()).toEqual({ saved: 0, trimmed: 0 })
})

test('what is faster than the chosen speed was silence', () => {
  const { time, play } = start()
  play(2, 4, { rate: 1.5, trims: true })
  expect(time.take()).toEqual({ saved: 1, trimmed: 5 })
})

test('a seek and a pause save nothing, and parts of a second are kept for the next report', () => {
  const { time, play, seek, wait } = start()
  play(1, 1.5)
  expect(time.take().saved).toBe(0)
  seek(900)
  play(1, 1.5)
  time.interrupt()
  wait(60_000)
  seek(1500)
  play(1, 1.5)
  expect(time.take().saved).toBe(1)
  expect(time.total.value.saved).toBe(1.5)
})
