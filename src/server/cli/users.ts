import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { requireBuiltIn } from '../accounts/configured'
import { hashPassword, requireStrong } from '../accounts/password'
import { createUsers } from '../accounts/users'
import { systemClock } from '../platform/clock'
import type { Config } from '../config'
import { openDataFolder } from '../data-folder'
import { roles, type Role } from '../../shared/roles'
import { UsageError } from './arguments'

export const usersUsage = `castellan users list
castellan users add NAME [--role admin|uploader|user] [--explicit yes|no]
castellan users update NAME [--role admin|uploader|user] [--explicit yes|no] [--name NEW]
castellan users set-password NAME
castellan users api-key NAME                 (makes a new one, and shows it this once)
castellan users remove NAME`

type Terminal = {
  print: (line: string) => void
  /** A password, typed unseen or from standard input. */
  readPassword: (prompt: string) => Promise<string>
}

/**
 * Accounts from the command line, also while the server runs: it works on the same database, and the server looks
 * there at every request. Throws `UsageError` or `Problem` with a sentence for whoever typed.
 */
export async function runUsersCommand(args: readonly string[], config: Config, { print, readPassword }: Terminal) {
  const { positionals, values } = parse(args)
  const [action, name, ...others] = positionals
  if (!action) throw usage('say what to do with users')
  if (others.length > 0) throw usage(`"${others[0]}" is one word too many; names with spaces need quotes`)
  if ((action !== 'list') !== (name !== undefined)) throw usage(name ? 'list takes no name' : `${action} needs a name`)
  const path = join(config.dataFolder, 'castellan.db')
  if (!existsSync(path)) {
    if (action !== 'add')
      throw new UsageError(`there is no ${path}: set DATA_DIRECTORY, or give --config, as for the server`)
    mkdirSync(config.dataFolder, { recursive: true })
    print(`Making a new database, ${path}`)
  }
  const { store } = openDataFolder(config.dataFolder)
  requireBuiltIn(store, config, systemClock)
  // Without the server's own variables nobody knows whether the built-in admin can sign in.
  const builtInSignsIn = config.password !== null
  const users = createUsers({ store, config, now: systemClock, publish: () => {}, builtInSignsIn })
  const actions: Record<string, (name: string) => Promise<void> | void> = {
    list() {
      const rows = store.users.list()
      const width = Math.max(8, ...rows.map(row => row.username.length))
      print(`${'username'.padEnd(width)}  role      explicit  created`)
      for (const { username, role, explicit_consent, created_at } of rows)
        print(
          `${username.padEnd(width)}  ${role.padEnd(8)}  ${(explicit_consent ? 'yes' : 'no').padEnd(8)}  ${new Date(created_at).toISOString().slice(0, 10)}`,
        )
    },
    async add(name) {
      const username = users.requireFree(users.requireName(name))
      const password = await readPassword(`Password for ${username}: `)
      requireStrong(password)
      users.add({
        username,
        role: values.role ?? 'user',
        explicit_consent: Number(values.explicit ?? false),
        password_hash: await hashPassword(password),
      })
      print(`${username} can sign in now.`)
    },
    async update(name) {
      const { role, explicit } = values
      if (role === undefined && explicit === undefined && values.name === undefined)
        throw new UsageError('nothing to change: give --role, --explicit or --name')
      // Before anything changes.
      if (values.name !== undefined) users.requireFree(users.requireName(values.name), users.requireUser(name))
      users.change(name, {
        ...(role !== undefined && { role }),
        ...(explicit !== undefined && { explicitConsent: explicit }),
      })
      const changed = values.name
        ? await users.edit(users.requireUser(name), { username: values.name })
        : users.requireUser(name)
      print(`${changed.username} is ${changed.role}, explicit content: ${changed.explicit_consent ? 'yes' : 'no'}.`)
    },
    async 'set-password'(name) {
      const user = users.requireUser(name)
      await users.setPassword(user, await readPassword(`New password for ${user.username}: `))
      print(`${user.username} has a new password; earlier sign-ins have ended.`)
    },
    async 'api-key'(name) {
      const user = users.requireUser(name)
      const apiKey = crypto.randomUUID().replaceAll('-', '')
      await users.edit(user, { apiKey })
      print(apiKey)
    },
    remove(name) {
      users.remove(name)
      print(`${name} is gone, with everything personal; podcasts stay.`)
    },
  }
  try {
    const run = actions[action]
    if (!run) throw usage(`there is no "${action}"`)
    await run(name ?? '')
  } finally {
    store.close()
  }
}

function parse(args: readonly string[]) {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { role: { type: 'string' }, explicit: { type: 'string' }, name: { type: 'string' } },
    })
    return { positionals, values: { ...values, role: readRole(values.role), explicit: readYesNo(values.explicit) } }
  } catch (error) {
    throw error instanceof UsageError ? error : usage((error as Error).message)
  }
}

const usage = (reason: string) => new UsageError(reason, usersUsage)

function readRole(text: string | undefined): Role | undefined {
  const role = roles.find(candidate => candidate === text)
  if (text !== undefined && !role) throw new UsageError(`--role is one of ${roles.join(', ')}`)
  return role
}

function readYesNo(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new UsageError('--explicit is yes or no')
}
