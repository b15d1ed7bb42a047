import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Shelf } from './shelf'

/** Ways for tests to see and change a bucket without a request. */
export const createInspection = (shelf: Shelf) => ({
  /** The objects by key. */
  objects: () =>
    new Map(
      [...shelf.objects].map(([key, stored]) => {
        const { size, etag, type } = stored
        return [key, { size, etag, type, bytes: () => new Uint8Array(readFileSync(stored.file)) }]
      }),
    ),
  /** The keys in the order of their bytes. */
  keys: () => [...shelf.objects.keys()].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
  /** The uploads that were begun and neither completed nor aborted. */
  uploads: () =>
    [...shelf.uploads.values()].map(({ id, key, begun, parts }) => ({ id, key, begun, parts: parts.size })),
  /** Stores an object. */
  put(key: string, bytes: Uint8Array, type = 'binary/octet-stream') {
    const file = shelf.newFile()
    writeFileSync(file, bytes)
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`
    shelf.keep(key, { file, size: bytes.byteLength, etag, type, modified: shelf.now() })
  },
  /** Begins an upload that nobody ends, as a killed process leaves it. */
  leaveUpload(key: string, begun = shelf.now()) {
    const id = shelf.newId()
    shelf.uploads.set(id, { id, key, type: 'binary/octet-stream', begun, parts: new Map() })
    return id
  },
  remove: shelf.remove,
})
