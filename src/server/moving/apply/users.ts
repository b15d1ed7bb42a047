import type { OldPassword } from '../../accounts/old-password'
import { prepareForeignPassword } from '../../accounts/password'
import { Problem } from '../../platform/problem'
import type { Store } from '../../store'
import type { MoveRow } from '../../store/moves'
import type { Item, UserItem } from '../item'
import { leftText } from '../moved-tables'
import { leftOut, noteChange, present, taken, type Batch, type Outcome, type Passwords } from './batch'

/** Every guess at a password checks each kind of hash that is in use: a file may not bring many. */
const MAX_KINDS = 4

/** Prepares the passwords of people who may get an account. Hashing takes too long for a transaction. */
export async function preparePasswords(store: Store, move: MoveRow, items: readonly Item[]): Promise<Passwords> {
  const found = new Map<UserItem, OldPassword>()
  for (const item of items) {
    if (!move.with_users || item.is !== 'user' || !item.password || store.users.findByName(item.name)) continue
    const password = await prepareForeignPassword(item.password)
    if (password) found.set(item, password)
  }
  return found
}

/**
 * Makes an account for a person of the source, with the password from there until the first sign-in. An account that is
 * here stays as it is, its role and password too.
 */
export function applyUser(batch: Batch, item: UserItem): Outcome {
  const { store, now } = batch
  if (batch.userOf(item.name)) return present
  if (item.role === undefined) return leftOut('only-named')
  if (batch.userOf(null)?.role !== 'admin') return leftOut('not-by-an-admin')
  const username = usableName(batch, item.name)
  if (username === null) return leftOut('unusable-name')
  const password = fewKinds(store, batch.passwords.get(item))
  const user = store.users.add(
    {
      username,
      role: item.role,
      explicit_consent: Number(item.explicit ?? false),
      password_hash: password?.hash ?? null,
      password_kind: password?.kind ?? null,
    },
    now(),
  )
  batch.news.users.push(user)
  noteChange(batch, 'user', { user_id: user.id, after: leftText('user', JSON.stringify(user)) })
  return taken
}

function usableName({ names }: Batch, name: string): string | null {
  try {
    return names.requireUnreserved(names.requireFree(names.requireName(name)))
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

function fewKinds({ users }: Store, password: OldPassword | undefined): OldPassword | null {
  const kinds = users.passwordKinds()
  return password && (kinds.includes(password.kind) || kinds.length < MAX_KINDS) ? password : null
}
