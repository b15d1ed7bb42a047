import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../compile'

/** Writes the digests of all files of a folder, by name, as `sha256sum --check` reads them. */
export async function writeChecksums(folder: string): Promise<string> {
  const names = readdirSync(folder).sort()
  const lines = await Promise.all(names.map(async name => `${await sha256(join(folder, name))}  ${name}\n`))
  return lines.join('')
}

/** Reads them back: digests by name. */
export const parseChecksums = (text: string) =>
  new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map(line => [line.slice(66), line.slice(0, 64)] as const),
  )
