// Why: docs/internals/decisions/0042

/** Something that can be read from any byte on, like an open file. */
export type Readable = {
  read(target: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
}

/** Fills `target` from a position in the file; returns how many bytes there were. */
export async function readAt(file: Readable, target: Uint8Array, position: number): Promise<number> {
  let filled = 0
  while (filled < target.length) {
    const { bytesRead } = await file.read(target, filled, target.length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}

/** Reads at most `length` bytes from a position in the file. */
export async function piece(file: Readable, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  return buffer.subarray(0, await readAt(file, buffer, position))
}
