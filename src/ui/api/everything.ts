import type { EverythingSize } from '../../shared/api/everything'
import type { Client } from './client'

export const everythingApi = (client: Client) => ({
  size: () => client.get<EverythingSize>('/users/me/everything'),
  /** Address of the archive: it may be too large to be held by a page. */
  address: (withFiles: boolean) => client.address(`/users/me/everything.zip${withFiles ? '?files=true' : ''}`),
})
