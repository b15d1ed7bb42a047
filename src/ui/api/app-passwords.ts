import type { AccessRequest, AppPassword, NewAppPassword } from '../../shared/api/app-password'
import type { Client } from './client'

export const appPasswordsApi = (client: Client) => ({
  list: () => client.get<AppPassword[]>('/users/me/appPasswords'),
  create: (name: string, assistant?: 'reads' | 'changes') =>
    client.post<NewAppPassword>('/users/me/appPasswords', { name, ...(assistant && { assistant }) }),
  remove: (id: string) => client.remove(`/users/me/appPasswords/${id}`),
  asking: (id: string) => client.get<AccessRequest>(`/access-requests/${id}`),
  grant: (id: string) => client.post<void>(`/access-requests/${id}/grant`),
})
