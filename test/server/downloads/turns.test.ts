import { describe, expect, test } from 'bun:test'
import { createDelivery, hostBehindPrefixes } from '../../../src/server/downloads/runner'
import { createGauge } from '../../../src/server/downloads/pace'
import { chooseTurns, placesOf, type Candidate, type Runner } from '../../../src/server/downloads/turns'

const KB = 1024
const candidate = (id: number, host: string, isFresh = true): Candidate => ({ id, host, isFresh })
const runner = (id: number, host: string, more: Partial<Runner> = {}): Runner => ({
  id,
  host,
  speed: 500 * KB,
  isReceiving: true,
  isLeaving: false,
  ...more,
})
const slow = (id: number, host: string, speed = KB) => runner(id, host, { speed })
const turns = (ready: Iterable<Candidate>, running: Runner[] = [], parallel = 3) => {
  const { start, stepAside } = chooseTurns(ready, running, placesOf(parallel))
  return { start: start.map(({ id }) => id), stepAside }
}

describe('a free place', () => {
  test('goes to the host with the fewest downloads, in the order of the queue', () => {
    const ready = [candidate(1, 'a'), candidate(2, 'a'), candidate(3, 'b'), candidate(4, 'c')]
    expect(turns(ready)).toEqual({ start: [1, 3, 4], stepAside: [] })
    expect(turns(ready.slice(0, 3))).toEqual({ start: [1, 3, 2], stepAside: [] })
    expect(turns([candidate(1, 'a'), candidate(2, 'b')], [runner(9, 'a')], 2).start).toEqual([2])
  })

  test.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [5, 4],
    [50, 4],
  ])('of %p may be one of a host while it has fewer than %p', (parallel, most) => {
    const ready = Array.from({ length: 60 }, (_, index) => candidate(index, 'a'))
    expect(turns(ready, [], parallel).start).toHaveLength(most)
  })

  test('is filled without reading the queue further than needed', () => {
    let read = 0
    function* ready() {
      for (;;) yield candidate(++read, `host ${read}`)
    }
    expect(turns(ready())).toEqual({ start: [1, 2, 3], stepAside: [] })
    expect(read).toBe(3)
  })
})

describe('where no place is free', () => {
  const full = [slow(1, 'a', 900), slow(2, 'b', 100), runner(3, 'c')]

  test('the slowest steps aside, one for each that waits', () => {
    expect(turns([candidate(4, 'd')], full).stepAside).toEqual([2])
    expect(turns([candidate(4, 'd'), candidate(5, 'e'), candidate(6, 'f')], full).stepAside).toEqual([2, 1])
  })

  test('nobody steps aside twice for the same, nor for one that stepped aside itself', () => {
    const leaving = [full[0]!, { ...full[1]!, isLeaving: true }, full[2]!]
    expect(turns([candidate(4, 'd')], leaving).stepAside).toEqual([])
    expect(turns([candidate(4, 'd'), candidate(5, 'e')], leaving).stepAside).toEqual([1])
    expect(turns([candidate(4, 'd', false)], full).stepAside).toEqual([])
  })

  test('quick ones stay, and those whose speed is not known yet or whose file is here', () => {
    const steady = [runner(1, 'a', { speed: 16 * KB }), runner(2, 'b', { speed: null })]
    const placing = runner(3, 'c', { speed: 0, isReceiving: false })
    expect(turns([candidate(4, 'd')], [...steady, placing]).stepAside).toEqual([])
  })
})

test('for a host that has as many as it may, one of its own steps aside, though other places are free', () => {
  const running = [slow(1, 'a'), runner(2, 'a'), slow(3, 'b', 1)]
  expect(turns([candidate(4, 'a')], running, 4)).toEqual({ start: [4], stepAside: [] })
  expect(turns([candidate(4, 'a')], running.slice(0, 2))).toEqual({ start: [], stepAside: [1] })
  expect(turns([candidate(4, 'a')], [slow(3, 'b', 1), runner(1, 'a'), runner(2, 'a')])).toEqual({
    start: [],
    stepAside: [],
  })
})

describe('the host of a download', () => {
  test.each([
    ['https://a.example/feed/1.mp3', 'a.example'],
    ['https://dts.podtrac.com/redirect.mp3/traffic.megaphone.fm/ABC1.mp3?updated=1', 'traffic.megaphone.fm'],
    [
      'https://pdst.fm/e/chrt.fm/track/E341G/dts.podtrac.com/redirect.mp3/traffic.libsyn.com/secure/show/1.mp3',
      'traffic.libsyn.com',
    ],
    ['https://op3.dev/e,pg=1/https://Media.Example:8443/x/1.mp3', 'media.example:8443'],
    ['https://anchor.fm/s/1/podcast/play/2/https%3A%2F%2Fd3.cloudfront.net%2Fstaging%2F1.mp3', 'd3.cloudfront.net'],
    ['https://a.example/redirect.mp3/1.mp3', 'a.example'],
    ['https://a.example/%E0%A4%A/b.example/1.mp3', 'b.example'],
    ['no address', ''],
  ])('%s is %p', (address, host) => {
    expect(hostBehindPrefixes(address)).toBe(host)
  })

  test('is the one that delivered the last file of the podcast from there', () => {
    const delivery = createDelivery()
    const address = (name: string) => `https://prefix.example/${name}.mp3`
    delivery.learn(1, address('one'), 'cdn.example')
    expect(delivery.hostOf(1, address('two'))).toBe('cdn.example')
    expect(delivery.hostOf(2, address('two'))).toBe('prefix.example')
    for (let id = 2; id < 5002; id++) delivery.learn(id, address('one'), 'other.example')
    expect(delivery.hostOf(1, address('two'))).toBe('prefix.example')
  })
})

test('the speed is that of the last fifteen seconds or more, and unknown before', () => {
  const gauge = createGauge(0, 1000)
  gauge.note(14_999, 900_000)
  expect(gauge.speed()).toBeNull()
  gauge.note(20_000, 2_001_000)
  expect(gauge.speed()).toBe(100_000)
  gauge.note(30_000, 2_001_000)
  expect(gauge.speed()).toBe(100_000)
  gauge.note(40_000, 2_021_000)
  expect(gauge.speed()).toBe(1000)
  // It was begun anew.
  gauge.note(50_000, 0)
  gauge.note(70_000, 200_000)
  expect(gauge.speed()).toBe(10_000)
})
