import { signal } from '@preact/signals-core'
import type { SkipLengths } from '../../shared/api/player'
import type { Api } from '../api'

type Needs = { api: Pick<Api['users'], 'skipLengths' | 'setSkipLengths'> }

export type SkipLengthsState = ReturnType<typeof createSkipLengths>

/** The seconds that the player's buttons skip: the same in every browser of their user. */
export function createSkipLengths({ api }: Needs) {
  const lengths = signal<SkipLengths>({ back: 30, forward: 30 })
  return {
    lengths,
    async load() {
      lengths.value = await api.skipLengths()
    },
    /** Shown at once, and undone when the server refuses. */
    async set(wanted: SkipLengths) {
      const before = lengths.value
      lengths.value = wanted
      try {
        lengths.value = await api.setSkipLengths(wanted)
      } catch (error) {
        lengths.value = before
        throw error
      }
    },
  }
}
