import { type Clock, MINUTE } from '../platform/clock'
import { randomBytes } from '../platform/secret'
import type { Publish } from '../platform/events'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { AssistantRights } from '../../shared/api/access'
import type { AppPasswordRow } from '../store/passkeys'
import type { UserRow } from '../store/users'
import { reportEnded } from './own-sessions'
import { isKey, keyHash } from './keys'

const FLOW_MS = 20 * MINUTE
const MAX_FLOWS = 1000
/** More than anybody has apps. Only its owner removes such a row. */
const MAX_PER_USER = 50
const MAX_NAME = 100

type Needs = {
  store: Store
  publish: Publish
  now: Clock
  /** Whether the use of a password may be written now. */
  mayNote: () => boolean
}
type Flow = { app: string; startedAt: number; granted: { username: string; password: string } | null }

/** Passwords that each belong to one app, for sync or to sign in, and keys of assistants. */
export function createAppPasswords(needs: Needs) {
  return {
    ...createFlows(needs),
    ...createLookup(needs),
    /**
     * Creates a password to be typed into an app, or a key for an assistant. It is shown only now. Throws
     * `too-many-app-passwords`.
     */
    create: (user: UserRow, name: string, assistant: AssistantRights | null = null) =>
      addPassword(needs, user, name, assistant),
    remove: (userId: number, uuid: string) => removePassword(needs, userId, uuid),
  }
}
export type AppPasswords = ReturnType<typeof createAppPasswords>

/**
 * The flow by which an app gets its password: the app begins it and polls; its user grants it in the browser, however
 * signed in; the app receives a password once. Flows are kept only in memory: after a restart the app begins again.
 */
function createFlows(needs: Needs) {
  const { now } = needs
  /** By the digest of the token that the app polls with. */
  const byToken = new Map<string, Flow>()
  /** By the id in the address that the user opens. */
  const byId = new Map<string, Flow>()

  const isLive = (flow: Flow) => flow.startedAt > now() - FLOW_MS
  const liveFlow = (flow: Flow | undefined) => (flow && isLive(flow) ? flow : null)

  function removeOld() {
    for (const flows of [byToken, byId])
      for (const [key, flow] of flows) {
        if (isLive(flow) && flows.size <= MAX_FLOWS) break
        flows.delete(key)
      }
  }

  return {
    begin(given: string) {
      const app = cutName(given)
      removeOld()
      const token = randomBytes(32).toString('hex')
      const id = randomBytes(32).toString('hex')
      const flow: Flow = { app, startedAt: now(), granted: null }
      byToken.set(keyHash(token), flow)
      byId.set(id, flow)
      return { token, id }
    },
    /** The name of the app that waits for a grant; null if none does any more. */
    waitingApp(id: string): string | null {
      const flow = liveFlow(byId.get(id))
      return flow && flow.granted === null ? flow.app : null
    },
    /** False if no app waits for it any more. Throws `too-many-app-passwords`. */
    grant(id: string, user: UserRow): boolean {
      const flow = liveFlow(byId.get(id))
      if (!flow || flow.granted) return false
      const { password } = addPassword(needs, user, flow.app, null)
      flow.granted = { username: user.username, password }
      byId.delete(id)
      return true
    },
    /** The granted password, once; null before the grant and after the first claim. */
    claim(token: string) {
      const hash = keyHash(token)
      const flow = liveFlow(byToken.get(hash))
      if (!flow?.granted) return null
      byToken.delete(hash)
      return flow.granted
    },
  }
}

function createLookup({ store, now, mayNote }: Needs) {
  const findOwner = (password: string) => store.appPasswords.findOwner(keyHash(password))

  function noteUse(
    { password_id, last_used_at }: { password_id: number; last_used_at: number | null },
    address: string,
  ) {
    if (now() - (last_used_at ?? 0) > MINUTE && mayNote()) store.appPasswords.noteUse(password_id, address, now())
  }

  return {
    /** The app password that this text is; null if it isn't one. */
    find(password: string): { id: number; name: string } | null {
      const owner = isKey(password) ? findOwner(password) : null
      return owner && owner.assistant === null ? { id: owner.password_id, name: owner.password_name } : null
    },
    /** The user of an app password, never of an assistant's key; notes the use, at most once a minute. */
    ownerOf(password: string, address: string): (UserRow & { password_id: number }) | null {
      const owner = findOwner(password)
      if (!owner || owner.assistant !== null) return null
      noteUse(owner, address)
      return owner
    },
    /** The user of an assistant's key, and whether it may change anything; notes the use as well. */
    assistantOf(key: string, address: string): { user: UserRow; mayChange: boolean } | null {
      const owner = findOwner(key)
      if (!owner || owner.assistant === null) return null
      noteUse(owner, address)
      return { user: owner, mayChange: owner.assistant === 'changes' }
    },
  }
}

function addPassword({ store, publish, now }: Needs, user: UserRow, name: string, assistant: AssistantRights | null) {
  const { id } = user
  if (store.appPasswords.list(id).length >= MAX_PER_USER)
    throw new Problem('too-many-app-passwords', `An account has at most ${MAX_PER_USER} app passwords`, {
      limit: String(MAX_PER_USER),
    })
  const password = randomBytes(16).toString('hex')
  const row = store.appPasswords.add(id, cutName(name), keyHash(password), assistant, now())
  publish({ type: 'recorded', kind: 'key-made', about: user, via: viaOf(row), detail: row.name })
  return { row, password }
}

const cutName = (name: string) => name.trim().slice(0, MAX_NAME) || '–'

/** Withdraws a password, with the sync sessions that it may have begun, and its app sessions. Throws `not-found`. */
function removePassword({ store, publish }: Needs, userId: number, uuid: string) {
  const { removed, apps } = store.inTransaction(() => {
    const apps = store.appSessions.ofPassword(userId, uuid)
    const removed = store.appPasswords.remove(userId, uuid)
    if (!removed) throw new Problem('not-found', 'App password not found')
    store.sessions.removeSync(userId)
    return { removed, apps }
  })
  reportEnded(publish, userId, { apps })
  publish({ type: 'recorded', kind: 'key-removed', via: viaOf(removed), detail: removed.name })
}

const viaOf = ({ assistant }: Pick<AppPasswordRow, 'assistant'>) =>
  assistant === null ? 'app-password' : 'assistant-key'
