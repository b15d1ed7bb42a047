const BLOCK = 256 * 1024
const COLLECT_EVERY = 2 * 1024 * 1024
const HUGE = 256 * 1024

let unpacked = 0

export type Archive = ReturnType<typeof createArchive>

/** Keeps texts compressed, in blocks, for those who read them in about the order in which they were added. */
export function createArchive() {
  const blocks: Uint8Array[] = []
  let filling: Uint8Array = new Uint8Array(BLOCK)
  let used = 0
  let open = { block: -1, bytes: filling }

  function seal() {
    // Copied: what the compressor gives back is as large as it might have become.
    blocks.push(new Uint8Array(Bun.zstdCompressSync(filling.subarray(0, used), { level: 1 })))
    used = 0
  }

  function blockAt(block: number): Uint8Array {
    if (block === blocks.length) return filling
    if (open.block !== block) open = { block, bytes: Bun.zstdDecompressSync(blocks[block]!) }
    return open.bytes
  }

  return {
    add(text: string): () => string {
      const bytes = Buffer.from(text)
      if (used > 0 && used + bytes.length > filling.length) seal()
      if (bytes.length > filling.length) filling = new Uint8Array(bytes.length)
      filling.set(bytes, used)
      const from = used
      used += bytes.length
      return readerOf(blockAt, blocks.length, from, used)
    },
  }
}

function readerOf(blockAt: (block: number) => Uint8Array, block: number, from: number, to: number) {
  return () => {
    rest(to - from)
    return Buffer.from(blockAt(block).subarray(from, to)).toString()
  }
}

/**
 * Puts these properties of an object into an archive, where they lie until somebody reads one: for the thousands of
 * items of a large feed. A spread would unpack them all: use `copyOf`.
 */
export function pack<T extends object>(value: T, names: readonly (keyof T & string)[], archive: Archive): T {
  const present = names.filter(name => !isEmpty(value[name]))
  if (present.length === 0) return value
  const read = archive.add(JSON.stringify(present.map(name => value[name])))
  // In its place: the order of properties tells an edited item from an unchanged one.
  present.forEach((name, index) =>
    Object.defineProperty(value, name, { get: getterOf(read, index), enumerable: true, configurable: true }),
  )
  return value
}

const isEmpty = (held: unknown) =>
  held === undefined || held === null || held === '' || (Array.isArray(held) && held.length === 0)

/** Outside: a getter made in `pack` would keep what `pack` was given. */
const getterOf = (read: () => string, index: number) => () => {
  // The properties of one are read one after the other.
  if (last?.read !== read) last = { read, values: JSON.parse(read()) as unknown[] }
  return last.values[index]
}
let last: { read: () => string; values: unknown[] } | null = null

/** A copy that holds on to nothing: the engine cuts a short text out of a long one by keeping the long one. */
export const detach = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

export const isPacked = (value: object) =>
  Object.values(Object.getOwnPropertyDescriptors(value)).some(({ get }) => get !== undefined)

/** A copy with something else in it; what is packed stays so. */
export const copyOf = <T extends object, C extends object>(value: T, changes: C): T & C =>
  Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(value)) as T, changes)

/**
 * What is made of notes leaves a dozen times their size behind, and the engine lets garbage pile up: it sizes its heap by
 * the machine's memory. So it is collected by hand, after each of the large ones at once.
 */
export function rest(bytes: number) {
  unpacked += bytes > HUGE ? COLLECT_EVERY : bytes
  if (unpacked < COLLECT_EVERY) return
  unpacked = 0
  Bun.gc(true)
}
