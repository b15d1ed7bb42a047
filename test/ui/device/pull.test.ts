import { expect, test } from 'bun:test'
import { createPull } from '../../../src/ui/shell/pull-to-refresh'

/** A page that a finger touches; `move` is where the finger is, in pixels from where it began. */
function start({ scrollY = 0, isCovered = false } = {}) {
  const listeners: Record<string, (event: unknown) => void> = {}
  const page = {
    scrollY,
    isCovered: () => isCovered,
    addEventListener: (type: string, listener: (event: unknown) => void) => void (listeners[type] = listener),
    removeEventListener: (type: string) => void delete listeners[type],
  } as unknown as Parameters<typeof createPull>[0]
  const refresh = Promise.withResolvers<void>()
  let count = 0
  const pull = createPull(page, () => {
    count += 1
    return refresh.promise
  })
  const at = (x: number, y: number) => ({ touches: [{ clientX: x, clientY: y }] })
  return {
    pull,
    answer: refresh.resolve,
    refreshed: () => count,
    touch: () => listeners['touchstart']!(at(0, 0)),
    move: (x: number, y: number) => listeners['touchmove']!(at(x, y)),
    letGo: () => listeners['touchend']!(at(0, 0)),
    listeners,
  }
}

test('a pull far enough refreshes once, and says so until it is done', async () => {
  const { pull, touch, move, letGo, refreshed, answer } = start()
  touch()
  move(2, 60)
  expect(pull.distance.value).toBe(30)
  move(2, 300)
  letGo()
  expect([refreshed(), pull.isRefreshing.value, pull.distance.value]).toEqual([1, true, 0])
  touch()
  move(0, 300)
  letGo()
  expect(refreshed()).toBe(1)
  answer()
  await Promise.resolve()
  await Promise.resolve()
  expect(pull.isRefreshing.value).toBe(false)
})

test('a short pull, a swipe aside and a finger that goes up do nothing', () => {
  for (const [x, y] of [
    [0, 40],
    [200, 60],
    [0, -80],
  ] as const) {
    const { touch, move, letGo, refreshed } = start()
    touch()
    move(x, y)
    move(x, y + 1)
    letGo()
    expect(refreshed()).toBe(0)
  }
})

test('a page that is scrolled or covered cannot be pulled', () => {
  for (const state of [{ scrollY: 10 }, { isCovered: true }]) {
    const { pull, touch, move } = start(state)
    touch()
    move(0, 200)
    expect(pull.distance.value).toBe(0)
  }
})

test('a page without it listens to nothing', () => {
  const { pull, listeners } = start()
  pull.stop()
  expect(Object.keys(listeners)).toEqual([])
})
