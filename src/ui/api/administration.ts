import { appPasswordsApi } from './app-passwords'
import { appSessionsApi } from './app-sessions'
import { backupsApi } from './backups'
import type { Client } from './client'
import { devicesApi } from './devices'
import { everythingApi } from './everything'
import { infoApi } from './info'
import { movesApi } from './moves'

/** The calls of single pages of settings and system info; they are loaded with these pages. */
export const createAdministrationApi = (client: Client) => ({
  appPasswords: appPasswordsApi(client),
  appSessions: appSessionsApi(client),
  backups: backupsApi(client),
  devices: devicesApi(client),
  everything: everythingApi(client),
  info: infoApi(client),
  moves: movesApi(client),
})
