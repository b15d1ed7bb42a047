import { expect, test } from 'bun:test'
import type { Podcast } from '../../../src/shared/api/podcast'
import type { Toasts } from '../../../src/ui/state/toasts'
import { warnOfPhones } from '../../../src/ui/state/unfavoured'

test('phones drop a podcast that is a favourite no longer: their owner is told, and can undo it', async () => {
  for (const devices of [[], [{ id: 'phone' }]]) {
    const said: Parameters<Toasts['done']>[] = []
    const favoured: boolean[] = []
    await warnOfPhones(
      {
        client: { get: async () => devices } as never,
        library: { favour: async (_, favorites) => void favoured.push(favorites) },
        toasts: { done: (...toast) => said.push(toast) },
      },
      { id: 'p', name: 'Fog' } as Podcast,
    )
    expect(said.length).toBe(devices.length)
    said[0]?.[1]?.run()
    expect(favoured.length).toBe(devices.length)
  }
})
