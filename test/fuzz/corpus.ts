import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'

/**
 * Inputs of one target that are tried first, run after run: those that failed once, and those that took longer than any
 * before. `folder`: null keeps and yields none. Inputs may hold bytes, so they are kept as structured clones.
 */
export function openCorpus(folder: string | null, target: string) {
  const own = folder === null ? null : join(folder, target)
  if (own !== null) mkdirSync(own, { recursive: true })
  return {
    keep(input: unknown) {
      if (own === null) return
      const bytes = serialize(input)
      writeFileSync(join(own, new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 24)), bytes)
    },
    /** Yields each input; one that this version of Bun cannot read is removed. */
    *inputs(): Generator<unknown> {
      if (own === null) return
      for (const name of readdirSync(own).sort()) {
        let input: unknown
        try {
          input = deserialize(readFileSync(join(own, name)))
        } catch {
          rmSync(join(own, name))
          continue
        }
        yield input
      }
    },
  }
}
