import { appPasswordsApi } from './app-passwords'
import { appSessionsApi } from './app-sessions'
import { auditApi } from './audit'
import { backupsApi } from './backups'
import type { Client } from './client'
import { clipsApi } from './clips'
import { destinationsApi } from './destinations'
import { devicesApi } from './devices'
import { everythingApi } from './everything'
import { infoApi } from './info'
import { movesApi } from './moves'
import { transcriptionsApi } from './transcriptions'
import { setAsideApi } from './set-aside'
import { sessionsApi } from './sessions'
import { passkeysApi, secondFactorApi } from './sign-in'

/** The calls of single pages of settings and system info; they are loaded with these pages. */
export const createAdministrationApi = (client: Client) => ({
  appPasswords: appPasswordsApi(client),
  appSessions: appSessionsApi(client),
  audit: auditApi(client),
  backups: backupsApi(client),
  clips: clipsApi(client),
  destinations: destinationsApi(client),
  devices: devicesApi(client),
  everything: everythingApi(client),
  info: infoApi(client),
  moves: movesApi(client),
  transcriptions: transcriptionsApi(client),
  passkeys: passkeysApi(client),
  secondFactor: secondFactorApi(client),
  sessions: sessionsApi(client),
  setAside: setAsideApi(client),
})
