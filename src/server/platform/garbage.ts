import { edenGC } from 'bun:jsc'

const COLLECT_EVERY = 2 * 1024 * 1024
const HUGE = 256 * 1024
/** A collection of the youngest objects takes a fraction of the time, but leaves what has survived another one. */
const FULL_EVERY = 4

let bytesRead = 0
let collections = 0

/**
 * Collects garbage after every few megabytes of texts, and at once after large ones. Reading leaves a dozen times its
 * size as garbage, and the engine would let it pile up, since it sizes its heap by the machine's memory.
 */
export function collectGarbage(bytes: number) {
  bytesRead += bytes > HUGE ? COLLECT_EVERY : bytes
  if (bytesRead < COLLECT_EVERY) return
  bytesRead = 0
  collections++
  if (bytes >= COLLECT_EVERY || collections % FULL_EVERY === 0) Bun.gc(true)
  else edenGC()
}
