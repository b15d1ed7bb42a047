import type { Backup } from '../../shared/api/backup'
import type { Client } from './client'

export const backupsApi = (client: Client) => ({
  list: () => client.get<Backup[]>('/backups'),
  create: () => client.post<Backup>('/backups'),
  file: (name: string) => client.file(`/backups/${name}`),
  remove: (name: string) => client.remove(`/backups/${name}`),
})
