import { collectGarbage } from '../../platform/engine'

// Why: docs/internals/decisions/0018

const BLOCK = 256 * 1024

export type Archive = ReturnType<typeof createArchive>

/** Stores texts compressed, in blocks, to be read in about the order in which they were added. */
export function createArchive() {
  const blocks: Uint8Array[] = []
  let filling: Uint8Array = new Uint8Array(0)
  let used = 0
  let open = { block: -1, bytes: filling }

  function seal() {
    // Copied: the compressor's buffer is as large as its worst case.
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
      if (bytes.length > filling.length) filling = new Uint8Array(Math.max(BLOCK, bytes.length))
      filling.set(bytes, used)
      const from = used
      used += bytes.length
      return readerOf(blockAt, blocks.length, from, used)
    },
  }
}

function readerOf(blockAt: (block: number) => Uint8Array, block: number, from: number, to: number) {
  return () => {
    collectGarbage(to - from)
    return Buffer.from(blockAt(block).subarray(from, to)).toString()
  }
}

/**
 * Moves these properties of an object into an archive until they are read, for the thousands of items of a large feed.
 * A spread would unpack them all: use `copyOf`.
 */
export function pack<T extends object>(value: T, names: readonly (keyof T & string)[], archive: Archive): T {
  const present = names.filter(name => !isEmpty(value[name]))
  if (present.length === 0) return value
  const read = archive.add(JSON.stringify(present.map(name => value[name])))
  packed.add(value)
  // In its place: the order of properties distinguishes an edited item from an unchanged one.
  present.forEach((name, index) =>
    Object.defineProperty(value, name, { get: getterOf(read, index), enumerable: true, configurable: true }),
  )
  return value
}

/** Whether there is nothing to pack in a property. */
export const isEmpty = (held: unknown) =>
  held === undefined || held === null || held === '' || (Array.isArray(held) && held.length === 0)

/** Made outside `pack`: a getter made inside would keep the packed object in memory. */
const getterOf = (read: () => string, index: number) => () => {
  // The properties of one object are read one after the other.
  if (last?.read !== read) last = { read, values: JSON.parse(read()) as unknown[] }
  return last.values[index]
}
let last: { read: () => string; values: unknown[] } | null = null

/**
 * A copy that references nothing else, whose packed properties stay packed: the engine keeps the long text from which a
 * short one was cut.
 */
export function detach<T extends object>(value: T): T {
  const properties = Object.entries(Object.getOwnPropertyDescriptors(value))
  const light = properties.map(([name, property]) => [name, property.get ? null : property.value])
  const copy = JSON.parse(JSON.stringify(Object.fromEntries(light))) as T
  for (const [name, property] of properties) if (property.get) Object.defineProperty(copy, name, property)
  if (packed.has(value)) packed.add(copy)
  return copy
}

const packed = new WeakSet<object>()

/** Whether properties of this very object are packed. */
export const isPacked = (value: object) => packed.has(value)

/** A changed copy, whose packed properties stay packed. */
export const copyOf = <T extends object, C extends object>(value: T, changes: C): T & C =>
  Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(value)) as T, changes)
