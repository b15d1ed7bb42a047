import { appPasswordsApi } from './app-passwords'
import { backupsApi } from './backups'
import type { Client } from './client'
import { devicesApi } from './devices'
import { infoApi } from './info'

/** What is asked for on single pages of settings and system info, and comes with them. */
export const createAdministrationApi = (client: Client) => ({
  appPasswords: appPasswordsApi(client),
  backups: backupsApi(client),
  devices: devicesApi(client),
  info: infoApi(client),
})
