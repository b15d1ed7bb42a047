const MAGIC = '!<arch>\n'
const HEADER = 60

/** Writes an ar archive as dpkg reads it: files of root, in the order given. */
export function writeAr(files: readonly { name: string; content: Uint8Array }[], epoch: number): Buffer {
  const parts = files.flatMap(({ name, content }) => [
    Buffer.from(
      `${name.padEnd(16)}${String(epoch).padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}` +
        `${String(content.length).padEnd(10)}\`\n`,
    ),
    content,
    Buffer.from(content.length % 2 ? '\n' : ''),
  ])
  return Buffer.concat([Buffer.from(MAGIC), ...parts])
}

/** Finds the files of an ar archive by their name. */
export function readAr(archive: Uint8Array): Map<string, Buffer> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error('Expected an ar archive')
  const files = new Map<string, Buffer>()
  for (let at = MAGIC.length; at + HEADER <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 16).trimEnd()
    const size = Number(bytes.toString('latin1', at + 48, at + 58))
    files.set(name.replace(/\/$/, ''), bytes.subarray(at + HEADER, at + HEADER + size))
    at += HEADER + size + (size % 2)
  }
  return files
}
