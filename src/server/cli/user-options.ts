import { parseArgs } from 'node:util'
import { roles, type Role } from '../../shared/roles'
import { UsageError } from './arguments'

export const usersUsage = `castellan users list
castellan users add NAME [--role admin|uploader|user] [--explicit yes|no]
castellan users update NAME [--role admin|uploader|user] [--explicit yes|no] [--name NEW]
castellan users set-password NAME
castellan users api-key NAME                 (creates a new key and shows it only once)
castellan users remove-second-factor NAME    (for somebody who lost the authenticator app)
castellan users remove NAME`

export type UserOptions = { role: Role | undefined; explicit: boolean | undefined; newName: string | undefined }
/** `username` is '' for `list`. */
type UsersCommand = { action: string; username: string; options: UserOptions }

export const usage = (reason: string) => new UsageError(reason, usersUsage)

/** Reads the arguments after `castellan users`. Throws `UsageError`. */
export function parseUsersCommand(args: readonly string[]): UsersCommand {
  const { positionals, options } = parse(args)
  const [action, username, ...others] = positionals
  if (!action) throw usage('users needs a command')
  if (others.length > 0) throw usage(`Unexpected "${others[0]}". Names with spaces need quotes.`)
  if (action === 'list' && username !== undefined) throw usage('list takes no name')
  if (action !== 'list' && username === undefined) throw usage(`${action} needs a name`)
  return { action, username: username ?? '', options }
}

function parse(args: readonly string[]): { positionals: string[]; options: UserOptions } {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { role: { type: 'string' }, explicit: { type: 'string' }, name: { type: 'string' } },
    })
    const { role, explicit, name } = values
    return { positionals, options: { role: readRole(role), explicit: readYesNo(explicit), newName: name } }
  } catch (error) {
    throw error instanceof UsageError ? error : usage((error as Error).message)
  }
}

function readRole(text: string | undefined): Role | undefined {
  const role = roles.find(candidate => candidate === text)
  if (text !== undefined && !role) throw usage(`--role is one of ${roles.join(', ')}`)
  return role
}

function readYesNo(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw usage('--explicit is yes or no')
}
