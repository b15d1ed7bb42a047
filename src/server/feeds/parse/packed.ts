import { collectGarbage } from '../../platform/engine'

// Why: docs/internals/decisions/0018

const BLOCK = 256 * 1024

export type Archive = ReturnType<typeof createArchive>

/** Stores texts compressed, in blocks, to be read in about the order in which they were added. */
export function createArchive() {
  const blocks: Uint8Array[] = []
  let filling = Buffer.alloc(0)
  let used = 0
  let open: { block: number; bytes: Buffer } = { block: -1, bytes: filling }

  function seal() {
    // Copied: the compressor's buffer is as large as its worst case.
    blocks.push(new Uint8Array(Bun.zstdCompressSync(filling.subarray(0, used), { level: 1 })))
    used = 0
  }

  function blockAt(block: number): Buffer {
    if (block === blocks.length) return filling
    if (open.block !== block) open = { block, bytes: Bun.zstdDecompressSync(blocks[block]!) }
    return open.bytes
  }

  return {
    add(text: string): () => string {
      const length = Buffer.byteLength(text)
      if (used > 0 && used + length > filling.length) seal()
      if (length > filling.length) filling = Buffer.alloc(Math.max(BLOCK, length))
      const from = used
      used += filling.write(text, used)
      return readerOf(blockAt, blocks.length, from, used)
    },
  }
}

function readerOf(blockAt: (block: number) => Buffer, block: number, from: number, to: number) {
  return () => {
    collectGarbage(to - from)
    return blockAt(block).toString('utf8', from, to)
  }
}

/**
 * Moves these properties of an object into an archive until they are read, for the thousands of items of a large feed.
 * A spread would unpack them all: use `copyOf`.
 */
export function pack<T extends object>(value: T, names: readonly (keyof T & string)[], archive: Archive): T {
  const present = names.filter(name => !isEmpty(value[name]))
  const json = () => JSON.stringify(Object.fromEntries(present.map(name => [name, value[name]])))
  return present.length === 0 ? value : replace(value, present, archive.add(json()))
}

/**
 * A packed copy that references nothing else: the engine keeps the long text from which a short one was cut. `json`:
 * the object, which has been written already.
 */
export function packCopy<T extends object>(
  value: T,
  json: string,
  names: readonly (keyof T & string)[],
  archive: Archive,
): T {
  const present = names.filter(name => !isEmpty(value[name]))
  const light: { [K in keyof T]: T[K] | null } = { ...value }
  for (const name of present) light[name] = null
  const copy = JSON.parse(JSON.stringify(light)) as T
  return present.length === 0 ? copy : replace(copy, present, archive.add(json))
}

/** Replaces properties by getters of those in the JSON that `read` returns. */
function replace<T extends object>(value: T, names: readonly (keyof T & string)[], read: () => string): T {
  Object.defineProperty(value, source, { value: read })
  // In its place: the order of properties distinguishes an edited item from an unchanged one.
  for (const name of names)
    Object.defineProperty(value, name, { get: getterOf(name), enumerable: true, configurable: true })
  return value
}

/** Whether there is nothing to pack in a property. */
export const isEmpty = (held: unknown) =>
  held === undefined || held === null || held === '' || (Array.isArray(held) && held.length === 0)

const source = Symbol('source')
type Packed = { [source]: () => string }

/** One getter for each name: thousands of items would have ten each, for the collector to visit every time. */
const getterOf = (name: string) =>
  getters.getOrInsertComputed(
    name,
    () =>
      function (this: Packed) {
        return unpacked(this[source])[name]
      },
  )
const getters = new Map<string, (this: Packed) => unknown>()

function unpacked(read: () => string): Record<string, unknown> {
  // The properties of one object are read one after the other.
  if (last?.read !== read) last = { read, values: JSON.parse(read()) as Record<string, unknown> }
  return last.values
}
let last: { read: () => string; values: Record<string, unknown> } | null = null

/** Whether properties of an object are packed. */
export const isPacked = (value: object) => source in value

/** A changed copy, whose packed properties stay packed. */
export const copyOf = <T extends object, C extends object>(value: T, changes: C): T & C =>
  Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(value)) as T, changes)
