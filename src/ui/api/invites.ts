import type { Invite, NewInvite } from '../../shared/api/invite'
import type { Client } from './client'

export type InvitesApi = ReturnType<typeof invitesApi>

export const invitesApi = (client: Client) => ({
  list: () => client.get<Invite[]>('/invites'),
  find: (id: string) => client.get<Invite>(`/invites/${encodeURIComponent(id)}`),
  create: (invite: NewInvite) => client.post<Invite>('/invites', invite),
  link: (id: string) => client.get<string>(`/invites/${id}/link`),
  remove: (id: string) => client.remove(`/invites/${id}`),
})
