import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../config'
import { openDataFolder } from '../data-folder'
import { createMovingOut } from '../moving'
import { monotonicClock, systemClock } from '../platform/clock'
import { createLog } from '../platform/log'
import { createMediaFiles } from '../storage'
import { readOptions, UsageError } from './arguments'
import { requireDatabase, requireUser } from './library'
import type { Print } from './terminal'

export const exportUsage = `castellan export [--user NAME] [--files] [--with-passwords] [FILE.zip|-]
    FILE.zip          a new file; - writes to standard output
    --user            the account to export; needed with several accounts
    --files           includes audio and video files
    --with-passwords  includes passwords of private feeds, in clear text`

/** Writes everything of an account into one archive, even while the server is running. Throws `UsageError`. */
export async function runExportCommand(args: readonly string[], config: Config, print: Print) {
  const { file, user, withFiles, withPasswords } = parseExportCommand(args)
  requireDatabase(config.dataFolder)
  const { store, secret } = openDataFolder(config.dataFolder, config)
  try {
    const files = createMediaFiles({
      config,
      someKnownFiles: store.episodes.someFiles,
      elapsed: monotonicClock,
      log: createLog('error', 'text', console.error),
    })
    const movingOut = createMovingOut({ store, secret, files, now: systemClock })
    const account = requireUser(store, user, exportUsage)
    const archive = movingOut.archiveFor(account, { withFiles, withPasswords })
    if (file === '-') return await writeOut(archive)
    const path = resolve(file ?? movingOut.fileName())
    const bytes = await writeFile(path, archive)
    print(
      `Exported everything of ${account.username} to ${path} (${bytes} bytes).${withPasswords ? passwordNotice : ''}`,
    )
  } finally {
    store.close()
  }
}

const passwordNotice = ' It contains passwords in clear text: keep it safe.'

/** Reads the arguments after `castellan export`. Throws `UsageError`. */
function parseExportCommand(args: readonly string[]) {
  const options = {
    user: { type: 'string' },
    files: { type: 'boolean' },
    'with-passwords': { type: 'boolean' },
  } as const
  const { positionals, values } = readOptions(args, options, exportUsage)
  const [file = null, ...others] = positionals
  if (others.length > 0) throw new UsageError(`Unexpected "${others[0]}"`, exportUsage)
  const { user = null, files: withFiles = false, 'with-passwords': withPasswords = false } = values
  return { file, user, withFiles, withPasswords }
}

/** Writes to standard output, no faster than it is read. */
async function writeOut(archive: AsyncIterable<Uint8Array>) {
  const output = Bun.stdout.writer()
  for await (const part of archive) {
    output.write(part)
    await output.flush()
  }
  await output.end()
}

/** Writes a new file that only its owner may read; one that cannot be written completely is deleted. */
async function writeFile(path: string, archive: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new UsageError(`${path} exists already. Name another file.`)
    throw new UsageError(`${path} cannot be written (${error.code})`)
  })
  let bytes = 0
  let isWhole = false
  try {
    for await (const part of archive) {
      await file.writeFile(part)
      bytes += part.byteLength
    }
    await file.sync()
    isWhole = true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === undefined ? error : new UsageError(`${path} cannot be written completely (${code})`)
  } finally {
    await file.close()
    if (!isWhole) rmSync(path, { force: true })
  }
  return bytes
}
