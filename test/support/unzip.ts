import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openZip, unpackTo } from '../../src/server/moving/zip'
import { temporaryFolder } from './app'

/** The files of an archive by their names, each checked against its size and checksum. */
export async function unzip(path: string): Promise<Map<string, Buffer>> {
  const zip = await openZip(path)
  const files = new Map<string, Buffer>()
  for (const entry of zip.entries) {
    const target = join(temporaryFolder(), 'entry')
    await unpackTo(zip, entry, target, 1024 ** 3)
    files.set(entry.name, readFileSync(target))
  }
  return files
}
