import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { requireBuiltIn } from '../accounts/configured'
import { hashPassword, requireStrong } from '../accounts/password'
import { createUsers, type Users } from '../accounts/users'
import { roles, type Role } from '../../shared/choices'
import { createAudit } from '../audit/audit'
import type { Config } from '../config'
import { DATABASE_FILE, openDataFolder } from '../data-folder'
import { deleteRemoved } from '../library/removals'
import { systemClock } from '../platform/clock'
import { createEvents, type Publish } from '../platform/events'
import { createLog, logFailure, silentLog } from '../platform/log'
import type { Store } from '../store'
import type { UserRow } from '../store/users'
import { readOptions, UsageError } from './arguments'
import { requireDatabase } from './library'
import type { Print } from './terminal'

export const usersUsage = `castellan users list
castellan users add NAME [--role admin|uploader|user] [--explicit yes|no]
castellan users update NAME [--role admin|uploader|user] [--explicit yes|no] [--name NEW]
castellan users set-password NAME
castellan users api-key NAME [--assistants yes|no]   (creates a new key and shows it only once)
castellan users remove-second-factor NAME    (for somebody who lost the authenticator app)
castellan users remove NAME`

type Terminal = {
  print: Print
  /** Reads a password: typed unseen, or a line of standard input. */
  readPassword: (prompt: string) => Promise<string>
}
type Needs = Terminal & { store: Store; users: Users; publish: Publish; list: () => UserRow[] }
type Action = (needs: Needs, name: string, options: UserOptions) => Promise<void> | void

/**
 * Manages accounts from the command line, even while the server is running: both use the same database, and the server
 * reads it at every request. Throws `UsageError` or `Problem` with a sentence for the person who typed.
 */
export async function runUsersCommand(args: readonly string[], config: Config, { print, readPassword }: Terminal) {
  const { action, username, options } = parseUsersCommand(args)
  const run = actions[action]
  if (!run) throw usage(`users has no command "${action}"`)
  const path = join(config.dataFolder, DATABASE_FILE)
  if (!existsSync(path)) {
    if (action !== 'add') requireDatabase(config.dataFolder)
    mkdirSync(config.dataFolder, { recursive: true })
    print(`Creating a new database, ${path}`)
  }
  const { store } = openDataFolder(config.dataFolder, config)
  try {
    requireBuiltIn(store, config, systemClock)
    // Without the server's own variables nobody knows whether the built-in admin can sign in.
    const builtInSignsIn = config.byPassword
    const log = createLog(config.logLevel, config.logFormat)
    const events = createEvents(logFailure(log, 'Event listener failed'))
    const now = systemClock
    const days = config.auditDays
    events.listen(createAudit({ store, now, log: silentLog, outside: 'command-line', days }).listeners)
    const { publish } = events
    const users = createUsers({ store, config, now, publish, log, builtInSignsIn })
    await run({ print, readPassword, store, users, publish, list: () => store.users.list() }, username, options)
  } finally {
    store.close()
  }
}

const actions: Record<string, Action> = {
  list({ list, print }) {
    const rows = list()
    const width = Math.max(8, ...rows.map(row => row.username.length))
    print(`${'username'.padEnd(width)}  role      explicit  created`)
    for (const { username, role, explicit_consent, created_at } of rows) {
      const created = new Date(created_at).toISOString().slice(0, 10)
      print(`${username.padEnd(width)}  ${role.padEnd(8)}  ${yesOrNo(explicit_consent).padEnd(8)}  ${created}`)
    }
  },
  async add({ users, publish, print, readPassword }, name, { role = 'user', explicit = false }) {
    const username = users.requireFree(users.requireName(name))
    const password = await readPassword(`Password for ${username}: `)
    requireStrong(password)
    const password_hash = await hashPassword(password)
    const user = users.add({ username, role, explicit_consent: Number(explicit), password_hash })
    publish({ type: 'recorded', kind: 'user-added', about: user, detail: role })
    print(`${username} can sign in now.`)
  },
  async update({ users, print }, name, { role, explicit, newName }) {
    if (role === undefined && explicit === undefined && newName === undefined)
      throw new UsageError('nothing to change: give --role, --explicit or --name')
    // Before anything changes.
    if (newName !== undefined) users.requireFree(users.requireName(newName), users.requireUser(name))
    users.change(users.requireUser(name), {
      ...(role !== undefined && { role }),
      ...(explicit !== undefined && { explicitConsent: explicit }),
    })
    const user = users.requireUser(name)
    const changed = newName ? await users.edit(user, { username: newName }) : user
    print(`${changed.username} is ${changed.role}, explicit content: ${yesOrNo(changed.explicit_consent)}.`)
  },
  async 'set-password'({ users, print, readPassword }, name) {
    const user = users.requireUser(name)
    await users.setPassword(user, await readPassword(`New password for ${user.username}: `))
    print(`${user.username} has a new password; earlier sign-ins have ended.`)
  },
  'remove-second-factor'({ users, print }, name) {
    const user = users.requireUser(name)
    users.removeSecondFactor(user)
    print(`${user.username} now signs in with only the password.`)
  },
  async 'api-key'({ users, print }, name, { assistants }) {
    const user = users.requireUser(name)
    const apiKey = crypto.randomUUID().replaceAll('-', '')
    await users.edit(user, { apiKey, apiKeyForAssistants: assistants ?? null })
    print(apiKey)
  },
  async remove({ users, store, print }, name) {
    users.remove(users.requireUser(name))
    for (const removal of store.removals.list())
      if (removal.of_table !== 'podcast') while (!(await deleteRemoved(store, removal)));
    print(`Removed ${name} with everything personal; podcasts stay.`)
  },
}

const yesOrNo = (flag: number) => (flag ? 'yes' : 'no')

type UserOptions = {
  role: Role | undefined
  explicit: boolean | undefined
  newName: string | undefined
  assistants: boolean | undefined
}
/** `username` is '' for `list`. */
type UsersCommand = { action: string; username: string; options: UserOptions }

const usage = (reason: string) => new UsageError(reason, usersUsage)

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
  const options = {
    role: { type: 'string' },
    explicit: { type: 'string' },
    name: { type: 'string' },
    assistants: { type: 'string' },
  } as const
  const { positionals, values } = readOptions(args, options, usersUsage)
  const { role, explicit, name, assistants } = values
  return {
    positionals,
    options: {
      role: readRole(role),
      explicit: readYesNo('explicit', explicit),
      newName: name,
      assistants: readYesNo('assistants', assistants),
    },
  }
}

function readRole(text: string | undefined): Role | undefined {
  const role = roles.find(candidate => candidate === text)
  if (text !== undefined && !role) throw usage(`--role is one of ${roles.join(', ')}`)
  return role
}

function readYesNo(option: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw usage(`--${option} is yes or no`)
}
