import { randomBytes } from 'node:crypto'
import { MINUTE, type Clock } from '../platform/clock'
import type { Store } from '../store'
import type { UserRow } from '../store/users'
import { isKey, keyHash } from './keys'

const FLOW_MS = 20 * MINUTE
const MOST_FLOWS = 1000

type Flow = { app: string; startedAt: number; granted: { username: string; password: string } | null }

/**
 * Passwords of single apps, good for sync alone. An app begins a flow and asks again and again; its user grants it in the browser,
 * signed in as he likes; the app is told a password of its own, once. Flows are not kept: whoever is cut off begins again.
 */
export function createAppPasswords({ store, now }: { store: Store; now: Clock }) {
  /** By the digest of the token that the app polls with, and by the id in the address that its user opens. */
  const byToken = new Map<string, Flow>()
  const byId = new Map<string, Flow>()

  function forgetOld() {
    for (const flows of [byToken, byId])
      for (const [key, flow] of flows) {
        if (flow.startedAt > now() - FLOW_MS && flows.size <= MOST_FLOWS) break
        flows.delete(key)
      }
  }
  const live = (flow: Flow | undefined) => (flow && flow.startedAt > now() - FLOW_MS ? flow : null)

  return {
    begin(app: string) {
      forgetOld()
      const token = randomBytes(32).toString('hex')
      const id = randomBytes(32).toString('hex')
      const flow: Flow = { app: app.trim().slice(0, 100) || '–', startedAt: now(), granted: null }
      byToken.set(keyHash(token), flow)
      byId.set(id, flow)
      return { token, id }
    },
    /** Who asks for access, as it calls itself; null where nobody does any more. */
    asking: (id: string): string | null => {
      const flow = live(byId.get(id))
      return flow && flow.granted === null ? flow.app : null
    },
    /** False where nobody asks any more. */
    grant(id: string, user: UserRow): boolean {
      const flow = live(byId.get(id))
      if (!flow || flow.granted) return false
      const password = randomBytes(16).toString('hex')
      store.appPasswords.add(user.id, flow.app, keyHash(password), now())
      flow.granted = { username: user.username, password }
      byId.delete(id)
      return true
    },
    /** Once; null until it is granted, and ever after. */
    take(token: string) {
      const hash = keyHash(token)
      const flow = live(byToken.get(hash))
      if (!flow?.granted) return null
      byToken.delete(hash)
      return flow.granted
    },
    /** Which of the passwords this is; null = none of them. */
    find(password: string): { id: number; name: string } | null {
      const owner = isKey(password) ? store.appPasswords.findOwner(keyHash(password)) : null
      return owner && { id: owner.password_id, name: owner.password_name }
    },
    /** Whose password this is. */
    ownerOf(password: string, address: string): UserRow | null {
      const owner = store.appPasswords.findOwner(keyHash(password))
      if (owner && now() - (owner.last_used_at ?? 0) > MINUTE)
        store.appPasswords.noteUse(owner.password_id, address, now())
      return owner
    },
  }
}
export type AppPasswords = ReturnType<typeof createAppPasswords>
