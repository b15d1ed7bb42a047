import type { BegunWork } from '../begun-work'
import { createLanes } from '../outbound/lanes'
import type { Store } from '../store'
import type { CoverFolder } from './folder'
import { MAX_PIXELS } from './picture'

/** Pictures of an old library that one round of the job decodes: a small computer has other work, too. */
const AT_ONCE = 20

/** Finds the colours of pictures, one at a time: each is decoded whole, which takes memory. */
export function createColors(store: Store, begun: BegunWork, folder: CoverFolder, isStopping: () => boolean) {
  const lanes = createLanes({ total: 1, perHost: 1 })

  /** Returns the colour of a picture, empty where it has none or cannot be read. Only the first to ask decodes it. */
  const colorOf = (digest: string, read: () => Promise<Uint8Array>): Promise<string> =>
    lanes.run('', async () => {
      const known = isStopping() ? '' : store.covers.findColor(digest)
      return (
        known ??
        read()
          .then(decodeAndFind)
          .catch(() => '')
      )
    })

  return {
    colorOf,
    /** Finds the colours of some pictures that were stored by a version that knew none. */
    async catchUp() {
      for (const digest of store.covers.listColorless(AT_ONCE)) {
        const color = await begun.run(
          { kind: 'color', key: digest, label: store.covers.findTitle(digest) ?? digest },
          () => colorOf(digest, () => Bun.file(folder.pathOf(digest, '')).bytes()),
          () => '',
        )
        await store.whenWritable()
        if (isStopping()) return
        store.covers.setColor(digest, color)
      }
    },
  }
}

// The decoder takes long to load: it is needed when a cover is new, not at the start.
async function decodeAndFind(bytes: Uint8Array): Promise<string> {
  const { findColor } = await import('./color')
  return findColor(bytes, { maxPixels: MAX_PIXELS })
}

export type Colors = ReturnType<typeof createColors>
