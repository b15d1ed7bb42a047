import type { Config } from '../../config'
import { Problem } from '../../platform/problem'
import { nameKey, type UserRow } from '../../store/users'
import type { AppPasswords } from '../app-passwords'
import { isKey, keyHash } from '../keys'
import type { Throttle } from '../throttle'
import { wrongUserOrPassword } from './basic'
import { notSignedIn } from './credentials'
import { bearerKey, type FindKeyOwner, type NoteKey } from './keys'

type Needs = {
  throttle: Throttle
  findKeyOwner: FindKeyOwner
  appPasswords: AppPasswords
  /** Whether people sign in by password. */
  isOn: boolean
  /** The password of the configuration is in the database; storing it ends earlier sign-ins. */
  ready: Promise<void>
  requirePassword: (username: string, password: string, address: string) => Promise<UserRow>
}

/** The user, and the app password or the API key that was shown instead of the password; null = neither was. */
export type AppSignedIn = { user: UserRow; appPasswordId: number | null; apiKey: string | null }

/**
 * Signs in an app by its two fields: a name, and a password, app password or API key. Throws `wrong-user-or-password`,
 * `too-many-attempts`.
 */
export const createAppSignIn =
  ({ throttle, findKeyOwner, appPasswords, isOn, ready, requirePassword }: Needs) =>
  async (username: string, password: string, address: string): Promise<AppSignedIn> => {
    await ready
    const isTheirs = (user: UserRow | null) => user?.name_key === nameKey(username)
    // The page shows it in groups of four, for people who type it.
    const typed = password.replace(/\s/g, '').toLowerCase()
    const shown = isKey(typed) ? typed : null
    const keyOwner = shown && findKeyOwner(shown)
    if (keyOwner && isTheirs(keyOwner)) return { user: keyOwner, appPasswordId: null, apiKey: shown }
    const owner = shown && appPasswords.ownerOf(shown, address)
    if (owner && isTheirs(owner)) return { user: owner, appPasswordId: owner.password_id, apiKey: null }
    if (isOn) return { user: await requirePassword(username, password, address), appPasswordId: null, apiKey: null }
    await throttle.recordFailure({ way: 'password', name: username }, address)
    throw wrongUserOrPassword()
  }

/**
 * Signs in a program by the API key or app password that it sends instead of an app's token; null for a token of
 * another form. Throws `not-signed-in`, `too-many-attempts`.
 */
export const createAppKeySignIn =
  ({ throttle, findKeyOwner, appPasswords }: Pick<Needs, 'throttle' | 'findKeyOwner' | 'appPasswords'>) =>
  async (token: string, address: string): Promise<AppSignedIn | null> => {
    if (!isKey(token)) return null
    const keyOwner = findKeyOwner(token)
    if (keyOwner) return { user: keyOwner, appPasswordId: null, apiKey: token }
    const owner = appPasswords.ownerOf(token, address)
    if (owner) return { user: owner, appPasswordId: owner.password_id, apiKey: null }
    await throttle.recordFailure({ way: 'key', name: '' }, address)
    throw notSignedIn()
  }

type AssistantNeeds = Pick<Needs, 'throttle' | 'findKeyOwner' | 'appPasswords'> & {
  noteKey: NoteKey
  config: Pick<Config, 'assistantApiKeys'>
}

/** Whether an API key may act for an assistant: as its user chose, within what the configuration allows. */
export const mayAssist = (
  { api_key_assistants: choice }: Pick<UserRow, 'api_key_assistants'>,
  { assistantApiKeys }: Pick<Config, 'assistantApiKeys'>,
): boolean => assistantApiKeys !== false && (choice === null ? assistantApiKeys === true : choice === 1)

const noAssistants = ({ assistantApiKeys }: Pick<Config, 'assistantApiKeys'>) =>
  new Problem(
    'not-signed-in',
    assistantApiKeys === false
      ? 'No API key may act for an assistant here (ASSISTANT_API_KEYS): make a key for it under Settings › Apps'
      : 'This API key may not act for an assistant: make a key for it under Settings › Apps, or a new API key that may',
  )

/** The user for whom an assistant works, and whether it may change anything of theirs. */
export type AssistantSignedIn = { user: UserRow; mayChange: boolean }

/**
 * Signs in an assistant by the key in its `Authorization` header: an assistant's key, or an API key that may
 * act for assistants, which has all rights of its user. Throws `not-signed-in`, `too-many-attempts`.
 */
export const createAssistantSignIn =
  ({ throttle, findKeyOwner, appPasswords, noteKey, config }: AssistantNeeds) =>
  async (authorization: string | null, address: string): Promise<AssistantSignedIn> => {
    const key = bearerKey(authorization)
    if (key === null) throw notSignedIn()
    const assistant = appPasswords.assistantOf(key, address)
    if (assistant) noteKey(assistant.user, 'assistant-key', () => address)
    if (assistant) return assistant
    const user = findKeyOwner(key) ?? (await throttle.recordFailure({ way: 'key', name: '' }, address))
    if (!user) throw notSignedIn()
    // The choice of a user is about their own key, not about the one that the configuration sets.
    const choice = user.api_key_hash === keyHash(key) ? user.api_key_assistants : null
    if (!mayAssist({ api_key_assistants: choice }, config)) throw noAssistants(config)
    noteKey(user, 'api-key', () => address)
    return { user, mayChange: true }
  }
