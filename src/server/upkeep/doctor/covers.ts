import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../../store'
import { filesBelow } from '../../storage/files-below'
import { counted, warning, type Finding } from './finding'

/** Compares the covers on the disk with the library, both ways. */
export function examineCovers(store: Store, folder: string): Finding[] {
  const rows = store.health.covers()
  const gone = rows.filter(({ digest }) => !existsSync(join(folder, digest.slice(0, 2), digest)))
  const known = new Set(rows.map(({ digest }) => digest))
  const strays = filesBelow(folder).filter(path => !known.has(digestOf(path)))
  return [
    ...(gone.length === 0
      ? []
      : [warning(counted(gone.length, 'cover is gone', 'covers are gone'), () => forgetCovers(store, gone))]),
    ...(strays.length === 0
      ? []
      : [
          warning(counted(strays.length, 'cover belongs to no podcast', 'covers belong to no podcast'), () =>
            remove(folder, strays),
          ),
        ]),
  ]
}

/** The digest in `ab/abcdef-256.webp`: resized copies are next to the original. */
const digestOf = (path: string) => path.split('/').at(-1)!.split(/[.-]/, 1)[0]!

function forgetCovers(store: Store, gone: readonly { id: number }[]): string {
  store.inTransaction(() => {
    for (const { id } of gone) store.health.forgetCover(id)
  })
  return 'the running server fetches them again'
}

function remove(folder: string, strays: readonly string[]): string {
  for (const path of strays) rmSync(join(folder, path), { force: true })
  return 'deleted'
}
