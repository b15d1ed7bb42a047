import type { AppSession } from '../../shared/api/app-session'
import type { Client } from './client'

export const appSessionsApi = (client: Client) => ({
  list: () => client.get<AppSession[]>('/users/me/appSessions'),
  remove: (id: string) => client.remove(`/users/me/appSessions/${id}`),
})
