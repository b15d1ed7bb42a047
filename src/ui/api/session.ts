import type { Login, User } from '../../shared/api/user'
import type { Client } from './client'

export type SessionApi = ReturnType<typeof sessionApi>

/** Sign-in, and the session cookie that media, covers and the socket need. */
export const sessionApi = (client: Client) => ({
  login: (login: Login) => client.post<User>('/login', login),
  start: (remember: boolean) => client.post<void>('/session', { remember }),
  end: (as: string | null) => client.remove('/session', undefined, { as }),
})
