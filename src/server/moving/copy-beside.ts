import { copyFileSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { MoveRefused } from './refused'

const MAX_FILES = 5000
const MAX_BYTES = 256 * 1024 ** 2
/** The folder of the copies. */
const BESIDE = 'beside'
/** Folders with more of what a program knows, by the name of the file that is next to them. */
const folders: Record<string, string> = { '.castgetrc': '.castget' }

/** Copies the files that belong to a file, into our own folder next to its copy. Throws `MoveRefused`. */
export function copyBeside(path: string, folder: string) {
  const name = folders[basename(path)]
  if (name === undefined) return
  const from = join(dirname(path), name)
  if (!lstatSync(from, { throwIfNoEntry: false })?.isDirectory()) return
  const files = readdirSync(from)
    .map(file => ({ file, stat: lstatSync(join(from, file), { throwIfNoEntry: false }) }))
    .filter(({ stat }) => stat?.isFile())
  const bytes = files.reduce((total, { stat }) => total + stat!.size, 0)
  if (files.length > MAX_FILES || bytes > MAX_BYTES)
    throw new MoveRefused(`${from} has ${files.length} files of ${bytes} bytes, more than can be read`)
  mkdirSync(join(folder, BESIDE), { mode: 0o700 })
  for (const { file } of files) copyFileSync(join(from, file), join(folder, BESIDE, file))
}

/** The copy of a file that lay next to the one at `path`, or null. */
export function findBeside(path: string, name: string): string | null {
  const copy = join(dirname(path), BESIDE, name)
  return basename(name) === name && lstatSync(copy, { throwIfNoEntry: false })?.isFile() ? copy : null
}
