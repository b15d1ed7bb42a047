import type { Publish } from '../events'
import type { Store } from '../store'
import type { NewUser, UserRow } from '../store/users'

/** The role of people who sign in elsewhere: `ADMINS` and `OIDC_ADMIN_CLAIM` make admins, and unmake those they made. */
export function createRolesByRule(store: Store, publish: Publish) {
  return {
    ofNewcomer: (isAdmin: boolean): Pick<NewUser, 'role' | 'explicit_consent' | 'admin_by_rule'> => ({
      role: isAdmin ? 'admin' : 'user',
      explicit_consent: Number(isAdmin),
      admin_by_rule: Number(isAdmin),
    }),

    /** The user as the rule has it now. */
    apply(user: UserRow, isAdmin: boolean): UserRow {
      if (user.built_in || isAdmin === (user.admin_by_rule === 1) || (isAdmin && user.role === 'admin')) return user
      store.users.setRole(user.id, isAdmin ? 'admin' : 'user', isAdmin)
      if (isAdmin) store.users.setConsent(user.id, true)
      publish({ type: 'signInChanged', userId: user.id })
      return store.users.find(user.id)!
    },
  }
}
export type Roles = ReturnType<typeof createRolesByRule>
