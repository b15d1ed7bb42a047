import type { SkipLengths } from '../../shared/api/player'
import type { FeedKey, Locale, SignUp, User, UserChange, UserEdit, UserSummary } from '../../shared/api/user'
import type { Client } from './client'

export type UsersApi = ReturnType<typeof usersApi>

const path = (id: string) => `/users/${encodeURIComponent(id)}`

/** Accounts are addressed by id. */
export const usersApi = (client: Client) => ({
  list: () => client.get<UserSummary[]>('/users'),
  me: () => client.get<User>('/users/me'),
  signUp: (signUp: SignUp) => client.post<UserSummary>('/users/', signUp),
  edit: (id: string, edit: UserEdit) => client.put<User>(path(id), edit),
  change: (id: string, change: UserChange) => client.put<UserSummary>(`${path(id)}/role`, change),
  rename: (id: string, username: string) => client.put<UserSummary>(`${path(id)}/username`, { username }),
  remove: (id: string) => client.remove(path(id)),
  setLocale: (locale: Locale) => client.put<User>('/users/me/locale', locale),
  skipLengths: () => client.get<SkipLengths>('/users/me/skipLengths'),
  setSkipLengths: (lengths: SkipLengths) => client.put<SkipLengths>('/users/me/skipLengths', lengths),
  removeApiKey: () => client.remove('/users/me/apiKey'),
  renewFeedKey: () => client.post<FeedKey>('/users/me/feedKey'),
})
