import type { SetAsideItem, SetAsideKey } from '../../shared/api/set-aside'
import type { Client } from './client'

export const setAsideApi = (client: Client) => ({
  list: () => client.get<SetAsideItem[]>('/set-aside'),
  retry: ({ kind, key }: SetAsideKey) => client.post('/set-aside/retry', { kind, key }),
})
