/** File, folder or link of an archive. Owned by root unless it says otherwise. */
export type Entry = {
  /** Relative, without `./` and without a slash at the end. */
  path: string
  mode?: number
  owner?: number
} & ({ content: Uint8Array | string } | { link: string } | { folder: true })

const BLOCK = 512

/** Writes a ustar archive that depends on nothing but its arguments: sorted by path, one time for all. */
export function writeTar(entries: readonly Entry[], epoch: number): Buffer {
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : 1))
  const parts = sorted.flatMap(entry => {
    const content = 'content' in entry ? Buffer.from(entry.content) : Buffer.alloc(0)
    return [headerOf(entry, content.length, epoch), content, Buffer.alloc(-content.length & (BLOCK - 1))]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)])
}

/** Adds the folders that files lie in, so that unpacking as root never makes one with other rights. */
export function withFolders(entries: readonly Entry[]): Entry[] {
  const known = new Set(entries.map(entry => entry.path))
  const folders = new Set<string>()
  for (const { path } of entries)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) folders.add(path.slice(0, end))
  return [...entries, ...[...folders].filter(path => !known.has(path)).map(path => ({ path, folder: true }) as const)]
}

function headerOf(entry: Entry, size: number, epoch: number): Buffer {
  const isFolder = 'folder' in entry
  const header = Buffer.alloc(BLOCK)
  const path = isFolder ? `${entry.path}/` : entry.path
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for a tar header`)
  header.write(path, 0)
  header.write(octal(entry.mode ?? ('link' in entry ? 0o777 : isFolder ? 0o755 : 0o644), 7), 100)
  header.write(octal(entry.owner ?? 0, 7), 108)
  header.write(octal(entry.owner ?? 0, 7), 116)
  header.write(octal(size, 11), 124)
  header.write(octal(epoch, 11), 136)
  header.write(' '.repeat(8), 148)
  header.write(isFolder ? '5' : 'link' in entry ? '2' : '0', 156)
  if ('link' in entry) header.write(entry.link, 157, 100)
  header.write('ustar\u000000', 257)
  if (!entry.owner) {
    header.write('root', 265)
    header.write('root', 297)
  }
  header.write(
    `${octal(
      header.reduce((sum, byte) => sum + byte),
      6,
    )}\0 `,
    148,
  )
  return header
}

const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
