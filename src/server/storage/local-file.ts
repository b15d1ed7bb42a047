import { open } from 'node:fs/promises'
import { release } from '../outbound/body'
import type { MediaFolder } from './folder'
import type { MediaStorage } from './storage'

let fetched = 0

/**
 * Fetches a file into the folder of unfinished ones for as long as `work` needs it; the next start deletes leftovers.
 */
export async function withLocalFile<T>(
  folder: MediaFolder,
  storage: MediaStorage,
  path: string,
  work: (absolute: string) => Promise<T>,
): Promise<T> {
  folder.open()
  const name = `fetched-${process.pid}-${++fetched}`
  try {
    await fetchInto(folder.partOf(name), storage.chunks(path))
    return await work(folder.partOf(name))
  } finally {
    await folder.removePart(name)
  }
}

/** Writes chunks into a new file, and waits until the disk has it. */
export async function fetchInto(absolute: string, chunks: AsyncIterable<Uint8Array>) {
  const file = await open(absolute, 'w')
  try {
    for await (const chunk of chunks) {
      await file.write(chunk)
      release(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
}
