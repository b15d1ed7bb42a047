import type { UserRow } from '../../store/users'
import type { AppPasswords } from '../app-passwords'
import { notSignedIn } from '../not-signed-in'
import type { Throttle } from '../throttle'
import { bearerKey, type FindKeyOwner } from './api-key'
import type { NoteKey } from './key-uses'

type Needs = { throttle: Throttle; findKeyOwner: FindKeyOwner; appPasswords: AppPasswords; noteKey: NoteKey }

/** The user for whom an assistant works, and whether it may change anything of theirs. */
export type AssistantSignedIn = { user: UserRow; mayChange: boolean }

/**
 * Signs in an assistant by the key in its `Authorization` header: an assistant's key, or an API key, which has all
 * rights of its user. Throws `not-signed-in`, `too-many-attempts`.
 */
export const createAssistantSignIn =
  ({ throttle, findKeyOwner, appPasswords, noteKey }: Needs) =>
  async (authorization: string | null, address: string): Promise<AssistantSignedIn> => {
    const key = bearerKey(authorization)
    if (key === null) throw notSignedIn()
    const assistant = appPasswords.assistantOf(key, address)
    if (assistant) noteKey(assistant.user, 'assistant-key', () => address)
    if (assistant) return assistant
    const user = findKeyOwner(key) ?? (await throttle.recordFailure({ way: 'key', name: '' }, address))
    if (!user) throw notSignedIn()
    noteKey(user, 'api-key', () => address)
    return { user, mayChange: true }
  }
