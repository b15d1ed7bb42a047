import type { Device, DeviceEdit, SyncWishes } from '../../shared/api/device'
import type { Client } from './client'

export const devicesApi = (client: Client) => ({
  list: () => client.get<Device[]>('/devices'),
  edit: (id: string, edit: DeviceEdit) => client.put<Device>(`/devices/${encodeURIComponent(id)}`, edit),
  remove: (id: string) => client.remove(`/devices/${encodeURIComponent(id)}`),
  wishes: () => client.get<SyncWishes>('/users/me/sync'),
  setWishes: (wishes: SyncWishes) => client.put<SyncWishes>('/users/me/sync', wishes),
})
