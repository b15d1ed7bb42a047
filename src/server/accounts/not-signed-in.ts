import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { UserRow } from '../store/users'

export const notSignedIn = () => new Problem('not-signed-in', 'Sign in first')

/**
 * Throws `not-signed-in` where the user, read a while ago, has since changed what ends earlier sign-ins, or is gone.
 */
export function requireCurrent({ users }: Store, { id, epoch }: UserRow) {
  if (users.find(id)?.epoch !== epoch) throw notSignedIn()
}
