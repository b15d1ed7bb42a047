import { expect, test } from 'bun:test'
import { createLayers } from '../../../src/ui/device/layers'

/** A window with a history that the test goes back in; what waits for the end of the turn runs with `settle`. */
function createWindow() {
  const entries: unknown[] = [null]
  let place = 0
  let onPopState = () => undefined as void
  const due: (() => void)[] = []
  const history = {
    get state() {
      return entries[place]
    },
    pushState(state: unknown) {
      entries.splice(place + 1, Infinity, state)
      place += 1
    },
    go(by: number) {
      due.push(() => {
        place += by
        onPopState()
      })
    },
  }
  const window = {
    history,
    addEventListener: (_: string, listener: () => void) => (onPopState = listener),
    setTimeout: (run: () => void) => due.push(run),
  } as unknown as Parameters<typeof createLayers>[0]
  const settle = () => {
    while (due.length > 0) due.shift()!()
  }
  return {
    window,
    settle,
    back() {
      settle()
      history.go(-1)
      settle()
    },
    visit: () => history.pushState(null),
    depth: () => place,
  }
}

function start() {
  const browser = createWindow()
  const layers = createLayers(browser.window)
  const closed: string[] = []
  const open = (name: string) => layers.open(() => void closed.push(name))
  return { ...browser, layers, closed, open }
}

test('Back closes the topmost layer, then the one beneath, then leaves the page', () => {
  const { open, back, closed, depth, visit } = start()
  visit()
  open('player')
  open('queue')
  back()
  expect([closed, depth()]).toEqual([['queue'], 2])
  back()
  expect([closed, depth()]).toEqual([['queue', 'player'], 1])
  back()
  expect([closed.length, depth()]).toEqual([2, 0])
})

test('a layer that closes by its own button leaves no entry behind', () => {
  const { open, settle, depth, closed } = start()
  const release = open('search')
  settle()
  expect(depth()).toBe(1)
  release()
  settle()
  expect([depth(), closed]).toEqual([0, []])
})

test('a menu that opens a dialog in its place needs one entry', () => {
  const { open, settle, back, depth, closed } = start()
  const release = open('menu')
  settle()
  release()
  open('dialog')
  settle()
  expect(depth()).toBe(1)
  back()
  expect([closed, depth()]).toEqual([['dialog'], 0])
})

test('a link out of a layer leads to its page, and Back from there to the page with the layer closed', () => {
  const { open, settle, visit, back, depth, closed } = start()
  const release = open('search')
  settle()
  visit()
  release()
  settle()
  expect(depth()).toBe(2)
  back()
  expect([closed, depth()]).toEqual([[], 0])
})

test('all layers close at once', () => {
  const { layers, open, settle, closed, depth } = start()
  open('player')
  open('queue')
  settle()
  layers.closeAll()
  settle()
  expect([closed, depth()]).toEqual([['queue', 'player'], 0])
})
