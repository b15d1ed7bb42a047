import { readFileSync } from 'node:fs'
import type { MoveRow } from '../store/moves'
import type { UserRow } from '../store/users'
import { UsageError } from './arguments'
import type { ImportOptions } from './import-options'
import type { Context } from '../context'
import { readPassword, type Print } from './terminal'

/** Sources of a server's password: arguments can be seen by everybody on the machine. */
export type Secrets = { ask: (prompt: string) => Promise<string>; fromEnvironment: string | undefined }

export const terminal: Secrets = {
  ask: prompt => readPassword(prompt, false),
  fromEnvironment: process.env.IMPORT_PASSWORD,
}

/** Copies the file or what the person has on the server, and notes the move. Throws `UsageError` and `MoveRefused`. */
export async function startMove(
  { moves }: Context,
  user: UserRow,
  { file, list, login, from, files, folder, withUsers }: ImportOptions,
  secrets: Secrets,
  print: Print,
): Promise<MoveRow> {
  if (folder) return moves.startFolder(user, file, folder.title, folder.way)
  if (!login) return moves.start(user, file, { from, list, files, withUsers })
  const password = await findPassword(login, secrets)
  print(`Asking ${URL.parse(file)?.host} for everything of ${login.user}`)
  // A person who runs commands on this machine may reach what it reaches.
  return moves.startFromServer(user, { address: file, isAdmin: true, user: login.user, password }, from)
}

async function findPassword({ user, passwordFile }: NonNullable<ImportOptions['login']>, secrets: Secrets) {
  if (passwordFile === null) return secrets.fromEnvironment ?? (await secrets.ask(`Password of ${user}: `))
  try {
    return readFileSync(passwordFile, 'utf8').split(/\r?\n/, 1)[0]!
  } catch (error) {
    throw new UsageError(`${passwordFile} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
