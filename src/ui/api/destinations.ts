import type {
  Destination,
  DestinationEdit,
  DestinationKind,
  DestinationRequest,
  DestinationTest,
  NewDestination,
  PushKey,
} from '../../shared/api/destination'
import type { Client } from './client'

export type DestinationsApi = ReturnType<typeof destinationsApi>

export const destinationsApi = (client: Client) => ({
  list: () => client.get<Destination[]>('/destinations'),
  kinds: () => client.get<DestinationKind[]>('/destinations/kinds'),
  pushKey: async () => (await client.get<PushKey>('/destinations/pushKey')).key,
  create: (request: DestinationRequest) => client.post<NewDestination>('/destinations', request),
  edit: (id: string, edit: DestinationEdit) => client.put<Destination>(`/destinations/${id}`, edit),
  remove: (id: string) => client.remove(`/destinations/${id}`),
  restore: (id: string) => client.post<Destination>(`/destinations/${id}/restore`),
  test: (id: string) => client.post<DestinationTest>(`/destinations/${id}/test`),
})
