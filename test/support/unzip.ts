import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readDirectory } from '../../src/server/moving/zip/directory'
import { unpackTo } from '../../src/server/moving/zip/unpack'
import { temporaryFolder } from './app'

/** The files of an archive by their names, each checked against its size and checksum. */
export async function unzip(path: string): Promise<Map<string, Buffer>> {
  const zip = { path, size: statSync(path).size }
  const files = new Map<string, Buffer>()
  for (const entry of readDirectory(zip)) {
    const target = join(temporaryFolder(), 'entry')
    await unpackTo(zip, entry, target, 1024 ** 3)
    files.set(entry.name, readFileSync(target))
  }
  return files
}
