import { auditApi } from './audit'
import type { Client } from './client'
import { destinationsApi } from './destinations'
import { devicesApi } from './devices'
import { movesApi } from './moves'
import { transcriptionsApi } from './transcriptions'
import { passkeysApi, secondFactorApi } from './sign-in'
import type { AppSession } from '../../shared/api/app-session'
import type { SetAsideItem, SetAsideKey } from '../../shared/api/set-aside'
import type { EverythingSize } from '../../shared/api/everything'
import type { Backup } from '../../shared/api/backup'
import type { BuildInfo, Stats, SysInfo, UpdateNotice } from '../../shared/api/info'
import type { Session } from '../../shared/api/session'
import type { AccessRequest, AppPassword, NewAppPassword } from '../../shared/api/app-password'
import type { Clip, NewClip } from '../../shared/api/clip'

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

const appSessionsApi = (client: Client) => ({
  list: () => client.get<AppSession[]>('/users/me/appSessions'),
  remove: (id: string) => client.remove(`/users/me/appSessions/${id}`),
})

const setAsideApi = (client: Client) => ({
  list: () => client.get<SetAsideItem[]>('/set-aside'),
  retry: ({ kind, key }: SetAsideKey) => client.post('/set-aside/retry', { kind, key }),
})

const everythingApi = (client: Client) => ({
  size: () => client.get<EverythingSize>('/users/me/everything'),
  /** Address of the archive: it may be too large to be held by a page. */
  address: (withFiles: boolean) => client.address(`/users/me/everything.zip${withFiles ? '?files=true' : ''}`),
})

const backupsApi = (client: Client) => ({
  list: () => client.get<Backup[]>('/backups'),
  create: () => client.post<Backup>('/backups'),
  file: (name: string) => client.file(`/backups/${name}`),
  remove: (name: string) => client.remove(`/backups/${name}`),
})

const infoApi = (client: Client) => ({
  system: () => client.get<SysInfo>('/sys/info'),
  update: () => client.get<UpdateNotice>('/sys/update'),
  build: () => client.get<BuildInfo>('/info'),
  stats: (query: { from?: string; to?: string; topLimit?: number; tz?: string }) =>
    client.get<Stats>('/stats/overview', query),
})

/** Everything that is signed in as the user. */
const sessionsApi = (client: Client) => ({
  list: () => client.get<Session[]>('/users/me/sessions'),
  end: (id: string) => client.remove(`/users/me/sessions/${id}`),
  /** Ends all but this browser's. */
  endOthers: () => client.remove('/users/me/sessions'),
})

export const appPasswordsApi = (client: Client) => ({
  list: () => client.get<AppPassword[]>('/users/me/appPasswords'),
  create: (name: string, assistant?: 'reads' | 'changes') =>
    client.post<NewAppPassword>('/users/me/appPasswords', { name, ...(assistant && { assistant }) }),
  remove: (id: string) => client.remove(`/users/me/appPasswords/${id}`),
  asking: (id: string) => client.get<AccessRequest>(`/access-requests/${id}`),
  grant: (id: string) => client.post<void>(`/access-requests/${id}/grant`),
})

/** Passages of episodes: cut out as files, and shown to strangers. */
export const clipsApi = (client: Client) => ({
  /** The sound of a passage, in seconds; `id`: that of the episode. */
  cut: (id: string, start: number, end: number) =>
    client.file(`/podcasts/episodes/${id}/clip`, { start: start.toFixed(2), end: end.toFixed(2) }),
  list: () => client.get<Clip[]>('/clips'),
  share: (clip: NewClip) => client.post<Clip>('/clips', clip),
  end: (id: string) => client.remove(`/clips/${id}`),
})
