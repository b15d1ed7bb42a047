import type { Session } from '../../shared/api/session'
import type { Client } from './client'

/** Everything that is signed in as the user. */
export const sessionsApi = (client: Client) => ({
  list: () => client.get<Session[]>('/users/me/sessions'),
  end: (id: string) => client.remove(`/users/me/sessions/${id}`),
  /** Ends all but this browser's. */
  endOthers: () => client.remove('/users/me/sessions'),
})
