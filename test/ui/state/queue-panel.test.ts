import { expect, test } from 'bun:test'
import { createQueuePanel } from '../../../src/ui/state/shell'
import { createMemoryStorage } from '../../support/memory-storage'

/** The panel on a screen whose width the test changes. */
function start({ isWide, stored = {} }: { isWide: boolean; stored?: Record<string, string> }) {
  const storage = createMemoryStorage(stored)
  let listener = () => undefined as void
  const query = { matches: isWide, addEventListener: (_type: string, to: () => void) => void (listener = to) }
  const panel = createQueuePanel(storage as never, () => query as never)
  function resize(to: boolean) {
    query.matches = to
    listener()
  }
  const shown = () => (panel.isDocked.value ? 'docked' : panel.isOpen.value ? 'over the page' : 'hidden')
  return { panel, storage, resize, shown }
}

test('on a wide screen the queue stands beside the page, and is there again after a reload', () => {
  const { panel, storage, shown } = start({ isWide: true })
  expect(shown()).toBe('hidden')
  panel.toggle()
  expect([shown(), panel.isShown.value]).toEqual(['docked', true])
  expect(start({ isWide: true, stored: Object.fromEntries(storage.stored) }).shown()).toBe('docked')
  panel.close()
  expect(shown()).toBe('docked')
  panel.toggle()
  expect(start({ isWide: true, stored: Object.fromEntries(storage.stored) }).shown()).toBe('hidden')
})

test('on a narrow screen the queue lies over the page, and nobody finds it open later', () => {
  const { panel, storage, shown } = start({ isWide: false })
  panel.toggle()
  expect([shown(), storage.stored.size]).toEqual(['over the page', 0])
  panel.close()
  expect(shown()).toBe('hidden')
})

test('a window made narrower hides the dock, and shows it again once there is room', () => {
  const { panel, resize, shown } = start({ isWide: true, stored: { queue: 'docked' } })
  resize(false)
  expect(shown()).toBe('hidden')
  panel.toggle()
  expect(shown()).toBe('over the page')
  resize(true)
  expect(shown()).toBe('docked')
  resize(false)
  expect(shown()).toBe('hidden')
})
