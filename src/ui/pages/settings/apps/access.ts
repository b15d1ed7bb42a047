import type { AppPassword } from '../../../../shared/api/app-password'
import type { AppSession } from '../../../../shared/api/app-session'
import type { Device } from '../../../../shared/api/device'

/** An app or a device that reaches the library. Ids are unique within their kind alone. */
export type Access = {
  kind: 'session' | 'password' | 'assistant-reads' | 'assistant-changes' | 'device'
  id: string
  name: string
  lastUsedAt: string | null
  /** The kind of a device that syncs. */
  type?: Device['type']
  /** The network address that it called from last; null = not known. */
  lastAddress: string | null
}

type Lists = {
  sessions: readonly AppSession[]
  passwords: readonly AppPassword[]
  devices: readonly Device[]
}

/** Everything that reaches the library, last used first; what was never used is at the end. */
export const listAccess = ({ sessions, passwords, devices }: Lists): Access[] =>
  [
    ...sessions.map((session): Access => ({ ...pick(session), kind: 'session' })),
    ...passwords.map((password): Access => ({ ...pick(password), kind: kindOf(password) })),
    ...devices.map(({ id, caption, type, lastSyncAt }): Access => ({
      kind: 'device',
      id,
      name: caption,
      type,
      lastUsedAt: lastSyncAt,
      lastAddress: null,
    })),
  ].toSorted((one, other) => (other.lastUsedAt ?? '').localeCompare(one.lastUsedAt ?? ''))

const kindOf = ({ assistant }: AppPassword): Access['kind'] =>
  assistant === null ? 'password' : assistant === 'reads' ? 'assistant-reads' : 'assistant-changes'

const pick = ({ id, name, lastUsedAt, lastAddress }: AppSession | AppPassword) => ({
  id,
  name,
  lastUsedAt,
  lastAddress: lastAddress || null,
})
