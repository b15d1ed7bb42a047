import type { SkipLengths } from '../../shared/api/player'
import type { FeedKey, Locale, SignUp, User, UserChange, UserEdit, UserSummary } from '../../shared/api/user'
import type { Client } from './client'

export type UsersApi = ReturnType<typeof usersApi>

const path = (username: string) => `/users/${encodeURIComponent(username)}`

export const usersApi = (client: Client) => ({
  list: () => client.get<UserSummary[]>('/users'),
  me: () => client.get<User>('/users/me'),
  signUp: (signUp: SignUp) => client.post<UserSummary>('/users/', signUp),
  edit: (username: string, edit: UserEdit) => client.put<User>(path(username), edit),
  change: (username: string, change: UserChange) => client.put<UserSummary>(`${path(username)}/role`, change),
  remove: (username: string) => client.remove(path(username)),
  setLocale: (locale: Locale) => client.put<User>('/users/me/locale', locale),
  skipLengths: () => client.get<SkipLengths>('/users/me/skipLengths'),
  setSkipLengths: (lengths: SkipLengths) => client.put<SkipLengths>('/users/me/skipLengths', lengths),
  removeApiKey: () => client.remove('/users/me/apiKey'),
  renewFeedKey: () => client.post<FeedKey>('/users/me/feedKey'),
})
