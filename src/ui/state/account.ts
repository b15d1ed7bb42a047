import type { User, UserEdit } from '../../shared/api/user'
import { type LoginData, type SessionNeeds, type SessionState, setCookie } from './credentials'

/** Checks a name and a password, and keeps the credentials of this browser. */
export async function logIn(
  { session, credentials }: SessionNeeds,
  login: LoginData,
  remember: boolean,
  code: string | undefined,
): Promise<User> {
  const me = await session.login({ ...login, remember, ...(code && { code }) })
  // With a second factor the password alone is not enough: the cookie authenticates the calls.
  if (me.secondFactor) credentials.keepCookie(me.id)
  else credentials.keep(login, remember)
  return me
}

/** Edits the user's account, and updates the credentials of this browser. */
export async function editAccount(needs: SessionNeeds, state: SessionState, change: UserEdit): Promise<User> {
  const { users, credentials } = needs
  const { id, username: before } = state.user.value!
  const edited = await users.edit(id, change)
  const login = credentials.read()
  if (login && (change.password || edited.username !== before))
    credentials.keep(
      { username: edited.username, password: change.password || login.password },
      credentials.isRemembered(),
    )
  await setCookie(needs, state)
  state.user.value = { ...edited, apiKey: null }
  return edited
}

export async function removeApiKey({ users }: SessionNeeds, { user }: SessionState) {
  await users.removeApiKey()
  user.value = { ...user.value!, apiKeySet: false }
}

export async function renewFeedKey({ users }: SessionNeeds, { user }: SessionState) {
  const { feedKey } = await users.renewFeedKey()
  user.value = { ...user.value!, feedKey }
}
