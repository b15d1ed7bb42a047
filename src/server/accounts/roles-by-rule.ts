import type { Publish } from '../platform/events'
import type { Store } from '../store'
import type { NewUser, UserRow } from '../store/users'

/**
 * Sets the roles of people whom a proxy or an OIDC provider signs in: `ADMINS` and `OIDC_ADMIN_CLAIM` make somebody an
 * admin for as long as they name them. `role_before` and `consent_before` keep the values to restore after that.
 */
export function createRolesByRule(store: Store, publish: Publish) {
  return {
    /** Returns the columns of a new account. */
    forNewUser: (isAdmin: boolean): Pick<NewUser, 'role' | 'explicit_consent' | 'role_before' | 'consent_before'> => ({
      role: isAdmin ? 'admin' : 'user',
      explicit_consent: Number(isAdmin),
      role_before: isAdmin ? 'user' : null,
      consent_before: isAdmin ? 0 : null,
    }),

    /**
     * Promotes the user, or ends an earlier promotion and restores the role before it. Returns the updated user. The
     * built-in admin, and an admin by other means, stay as they are.
     */
    apply(user: UserRow, isAdmin: boolean): UserRow {
      const isByRule = user.role_before !== null
      if (user.built_in || isAdmin === isByRule || (isAdmin && user.role === 'admin')) return user
      if (isAdmin) store.users.promoteByRule(user.id)
      else store.users.endPromotion(user.id)
      publish({ type: 'signInChanged', userId: user.id })
      const changed = store.users.find(user.id)!
      publish({ type: 'recorded', kind: 'role-changed', about: user, detail: changed.role })
      return changed
    },
  }
}

export type Roles = ReturnType<typeof createRolesByRule>
