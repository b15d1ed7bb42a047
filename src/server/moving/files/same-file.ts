import { lstat, open } from 'node:fs/promises'

const CHUNK = 1024 * 1024

/** Whether two paths are one file, or two files with the same bytes; a link is neither. */
export async function areSameFiles(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([lstat(one), lstat(other)])
  if (!first.isFile() || !second.isFile() || first.size !== second.size) return false
  return (first.dev === second.dev && first.ino === second.ino) || haveSameBytes(one, other)
}

async function haveSameBytes(one: string, other: string): Promise<boolean> {
  const [first, second] = [await open(one, 'r'), await open(other, 'r')]
  try {
    const [left, right] = [Buffer.alloc(CHUNK), Buffer.alloc(CHUNK)]
    for (let at = 0; ;) {
      const [{ bytesRead }, same] = await Promise.all([
        first.read(left, 0, CHUNK, at),
        second.read(right, 0, CHUNK, at),
      ])
      if (bytesRead !== same.bytesRead || !left.subarray(0, bytesRead).equals(right.subarray(0, bytesRead)))
        return false
      if (bytesRead === 0) return true
      at += bytesRead
    }
  } finally {
    await Promise.all([first.close(), second.close()])
  }
}
