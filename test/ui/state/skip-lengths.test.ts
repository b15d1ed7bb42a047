import { expect, test } from 'bun:test'
import type { SkipLengths } from '../../../src/shared/api/user'
import { createSkipLengths } from '../../../src/ui/state/preferences'

test('lengths are those of the server, shown at once when they change, and taken back when it refuses', async () => {
  let isDown = false
  const state = createSkipLengths({
    api: {
      skipLengths: async () => ({ back: 15, forward: 60 }),
      async setSkipLengths(lengths: SkipLengths) {
        if (isDown) throw new Error('down')
        return lengths
      },
    },
  })
  expect(state.lengths.value).toEqual({ back: 30, forward: 30 })
  await state.load()
  expect(state.lengths.value).toEqual({ back: 15, forward: 60 })
  await state.set({ back: 10, forward: 10 })
  isDown = true
  const refused = state.set({ back: 45, forward: 45 })
  expect(state.lengths.value).toEqual({ back: 45, forward: 45 })
  await expect(refused).rejects.toThrow('down')
  expect(state.lengths.value).toEqual({ back: 10, forward: 10 })
})
