import type { FileHandle } from 'node:fs/promises'

/** The least that services accept as a part that is not the last. */
export const PART_BYTES = 5 * 1024 * 1024
const MOST_PARTS = 10_000
const READ_BYTES = 256 * 1024

/** Files beyond ten thousand parts have larger ones. */
export const partBytesOf = (size: number) => Math.max(PART_BYTES, Math.ceil(size / MOST_PARTS))

/** Reads a part of a file into a buffer, and digests it chunk by chunk: nothing else waits for megabytes of it. */
export async function readPart(file: FileHandle, buffer: Buffer<ArrayBuffer>, at: number, length: number) {
  const hasher = new Bun.CryptoHasher('md5')
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, Math.min(READ_BYTES, length - filled), at + filled)
    if (bytesRead === 0) throw new Error('a file became shorter while it was sent')
    hasher.update(buffer.subarray(filled, filled + bytesRead))
    filled += bytesRead
  }
  return { bytes: buffer.subarray(0, length), md5: hasher.digest() }
}

/** The digest that most services give an object in parts. */
export const digestOfParts = (digests: readonly string[]) =>
  `${new Bun.CryptoHasher('md5').update(Buffer.from(digests.join(''), 'hex')).digest('hex')}-${digests.length}`

/** Computes the digest that a file gets in the parts in which it is sent. */
export async function digestOf(file: FileHandle, size: number): Promise<string> {
  const partBytes = partBytesOf(size)
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  const digests: string[] = []
  for (let at = 0; at < size || at === 0; at += partBytes) {
    const hasher = new Bun.CryptoHasher('md5')
    const end = Math.min(at + partBytes, size)
    for (let position = at; position < end;) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(READ_BYTES, end - position), position)
      if (bytesRead === 0) throw new Error('a file became shorter while it was read')
      hasher.update(buffer.subarray(0, bytesRead))
      position += bytesRead
    }
    digests.push(hasher.digest('hex'))
  }
  return size > PART_BYTES ? digestOfParts(digests) : digests[0]!
}
