import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An object or a part; `etag` with its quotes, `file`: where its bytes are. */
export type Stored = { file: string; size: number; etag: string; type: string; modified: number }

export type Upload = { id: string; key: string; type: string; begun: number; parts: Map<number, Stored> }

/** Folders of servers that nobody ended, as in a test that ran out of time. */
const folders = new Set<string>()
const removeFolder = (folder: string) => {
  rmSync(folder, { recursive: true, force: true })
  folders.delete(folder)
}
process.on('exit', () => folders.forEach(removeFolder))

export type Shelf = ReturnType<typeof createShelf>

/** The objects and unfinished uploads of a bucket; their bytes are files of a temporary folder, never memory. */
export function createShelf(now: () => number) {
  const folder = mkdtempSync(join(tmpdir(), 's3-server-'))
  folders.add(folder)
  const objects = new Map<string, Stored>()
  const uploads = new Map<string, Upload>()
  let count = 0
  const remove = (stored: Stored | undefined) => stored && rmSync(stored.file, { force: true })

  return {
    objects,
    uploads,
    now,
    newFile: () => join(folder, String(++count)),
    newId: () => `${String(++count).padStart(8, '0')}-upload`,
    keep(key: string, stored: Stored) {
      remove(objects.get(key))
      objects.set(key, stored)
    },
    keepPart(upload: Upload, number: number, stored: Stored) {
      remove(upload.parts.get(number))
      upload.parts.set(number, stored)
    },
    remove(key: string) {
      remove(objects.get(key))
      objects.delete(key)
    },
    end(upload: Upload) {
      for (const part of upload.parts.values()) remove(part)
      uploads.delete(upload.id)
    },
    /** Bytes on the disk of an object; they differ from its size if a test damaged it. */
    bytesOf: (stored: Stored) => statSync(stored.file).size,
    [Symbol.dispose]: () => removeFolder(folder),
  }
}
