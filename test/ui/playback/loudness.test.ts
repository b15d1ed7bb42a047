import { signal } from '@preact/signals-core'
import { expect, test } from 'bun:test'
import type { MeasuredLoudness } from '../../../src/shared/api/history'
import { createMeter, kWeighting, type Levelling, levelOf, meanSquare } from '../../../src/ui/playback/leveller'
import { createLevelling } from '../../../src/ui/playback/player-extras'
import { settled } from '../../support/settled'

/** Filters samples as the browser's IIR filter does. */
function filter(samples: Float32Array, { feedforward: b, feedback: a }: { feedforward: number[]; feedback: number[] }) {
  const filtered = new Float32Array(samples.length)
  let [x1, x2, y1, y2] = [0, 0, 0, 0]
  samples.forEach((x, index) => {
    const y = b[0]! * x + b[1]! * x1 + b[2]! * x2 - a[1]! * y1 - a[2]! * y2
    ;[x2, x1, y2, y1] = [x1, x, y1, y]
    filtered[index] = y
  })
  return filtered
}

const RATE = 48_000
const decibels = (level: number) => 10 ** (level / 20)

/** The power of a steady sine of a level, K-weighted, in a number of channels. */
function powerOf(level: number, { hertz = 997, rate = RATE, channels = 2 } = {}) {
  const sine = Float32Array.from(
    { length: 2 * rate },
    (_, index) => decibels(level) * Math.sin((2 * Math.PI * hertz * index) / rate),
  )
  const [shelf, highPass] = kWeighting(rate)
  // Without the second in which the filters settle.
  return channels * meanSquare(filter(filter(sine, shelf), highPass).subarray(rate))
}
const measure = (blocks: readonly [power: number, seconds: number][], known: MeasuredLoudness | null = null) => {
  const meter = createMeter(known)
  for (const [power, seconds] of blocks) for (let block = 0; block < seconds / 0.4; block++) meter.add(power)
  return meter.read()
}

test('the filters are those that ITU-R BS.1770 lists for 48 kHz', () => {
  const [shelf, highPass] = kWeighting(48_000)
  const near = (values: readonly number[]) => values.map(value => expect.closeTo(value, 8))
  expect(shelf.feedforward).toEqual(near([1.53512485958697, -2.69169618940638, 1.19839281085285]))
  expect(shelf.feedback).toEqual(near([1, -1.69065929318241, 0.73248077421585]))
  expect(highPass.feedforward).toEqual([1, -2, 1])
  expect(highPass.feedback).toEqual(near([1, -1.99004745483398, 0.99007225036621]))
})

test('a sine of 997 Hz on both speakers is as loud as its level, at every sample rate, and on one 3 less', () => {
  for (const rate of [44_100, 48_000, 96_000])
    for (const level of [-23, -33, -40])
      expect(Math.abs(measure([[powerOf(level, { rate }), 40]])!.lufs - level)).toBeLessThan(0.1)
  expect(Math.abs(measure([[powerOf(-23, { channels: 1 }), 40]])!.lufs + 26)).toBeLessThan(0.1)
})

test('a deep tone counts less than a high one, as for the ear', () => {
  expect(measure([[powerOf(-23, { hertz: 50 }), 40]])!.lufs).toBeLessThan(-25)
  expect(measure([[powerOf(-23, { hertz: 6000 }), 40]])!.lufs).toBeGreaterThan(-20.5)
})

test('silence and what is much quieter than the rest count neither for the loudness nor for the seconds', () => {
  const speech = powerOf(-23)
  const alone = measure([[speech, 60]])!
  expect(alone.seconds).toBe(60)
  for (const quiet of [0, powerOf(-80), powerOf(-36)])
    expect(
      measure([
        [speech, 60],
        [quiet, 60],
      ]),
    ).toEqual(alone)
  // Test 3 of EBU Tech 3341: 10 s at -36, 60 s at -23, 10 s at -36.
  const third = measure([
    [powerOf(-36), 10],
    [speech, 60],
    [powerOf(-36), 10],
  ])!
  expect(Math.abs(third.lufs + 23)).toBeLessThan(0.1)
})

test('parts of different loudness count by their power', () => {
  // Test 5 of EBU Tech 3341: 20 s at -26, 20.1 s at -20, 20 s at -26.
  const { lufs } = measure([
    [powerOf(-26), 20],
    [powerOf(-20), 20.1],
    [powerOf(-26), 20],
  ])!
  expect(Math.abs(lufs + 23)).toBeLessThan(0.1)
})

test('there is no measure before half a minute of sound, and none of silence', () => {
  expect(measure([[powerOf(-23), 29.6]])).toBeNull()
  expect(measure([[powerOf(-23), 30]])!.seconds).toBe(30)
  expect(measure([[0, 3600]])).toBeNull()
  expect(measure([])).toBeNull()
})

test('an earlier measure is continued, and counts by its seconds', () => {
  const known = { lufs: -23, seconds: 600 }
  expect(measure([], known)).toEqual(known)
  expect(measure([[powerOf(-23), 60]], known)!.seconds).toBe(660)
  const { lufs } = measure([[powerOf(-17), 60]], known)!
  expect(lufs).toBeGreaterThan(-23)
  expect(lufs).toBeLessThan(-21.5)
})

test('every episode is brought to -16, by at most 12 up or down', () => {
  const gains = [-16, -20, -10, -28, -60, 3].map(lufs => 20 * Math.log10(levelOf(lufs)))
  expect(gains.map(gain => Math.round(gain * 100) / 100)).toEqual([0, 4, -6, 12, 12, -12])
})

/** The levelling of a player whose server knows the loudness of episodes. */
function startLevelling(measured: Record<string, MeasuredLoudness>) {
  const isOn = signal(true)
  const current = signal<{ episode: { episode_id: string }; live?: object } | null>(null)
  const levels: (string | null)[] = []
  const asked: string[] = []
  const saved: [string, MeasuredLoudness][] = []
  const last = { levelling: null as Levelling | null, isDown: false }
  const levelling = createLevelling({
    isOn,
    player: {
      current: current as never,
      level(wanted) {
        last.levelling = wanted
        levels.push(wanted && String(wanted.known?.lufs))
      },
    },
    api: {
      async loudness(eid: string) {
        asked.push(eid)
        if (last.isDown) throw new Error('down')
        return { measured: measured[eid] ?? null }
      },
      saveLoudness: async (eid: string, measure: MeasuredLoudness) => void saved.push([eid, measure]),
    },
  })
  const show = (episode_id: string, more = {}) => (current.value = { episode: { episode_id }, ...more })
  return { isOn, current, levels, asked, saved, last, levelling, show }
}

test('an episode is levelled by what was measured of it before, and what is measured now is saved for it', async () => {
  const { levels, saved, last, show } = startLevelling({ a: { lufs: -20, seconds: 60 } })
  show('a')
  await settled()
  show('b')
  await settled()
  expect(levels).toEqual([null, null, '-20', null, 'undefined'])
  last.levelling!.keep({ lufs: -18, seconds: 30 })
  expect(saved).toEqual([['b', { lufs: -18, seconds: 30 }]])
})

test('the next episode that was prepared is levelled at once', async () => {
  const { levels, asked, levelling, show } = startLevelling({ b: { lufs: -25, seconds: 60 } })
  show('a')
  await levelling.prepare('b')
  levels.length = 0
  show('b')
  expect(levels).toEqual(['-25'])
  await settled()
  expect([levels, asked]).toEqual([['-25'], ['a', 'b']])
})

test('nothing is levelled or asked while it is off, in a live stream, or while the server cannot be reached', async () => {
  const { isOn, levels, asked, last, levelling, show } = startLevelling({ a: { lufs: -20, seconds: 60 } })
  isOn.value = false
  show('a')
  await levelling.prepare('b')
  isOn.value = true
  show('live', { live: {} })
  await settled()
  expect(asked).toEqual(['a'])
  expect(last.levelling).toBeNull()
  last.isDown = true
  show('c')
  await settled()
  expect(last.levelling).toBeNull()
  expect(levels.at(-1)).toBeNull()
})

test('an answer about an earlier episode levels nothing', async () => {
  const { isOn, last, show } = startLevelling({ a: { lufs: -20, seconds: 60 }, b: { lufs: -25, seconds: 60 } })
  show('a')
  show('b')
  await settled()
  expect(last.levelling!.known!.lufs).toBe(-25)
  show('a')
  isOn.value = false
  await settled()
  expect(last.levelling).toBeNull()
})
