import type { AuditTopic } from '../../shared/audit-kinds'
import type { Move } from '../../shared/api/move'
import type { SetAsideKey } from '../../shared/api/job'
import type { Proof } from '../../shared/api/sign-in'
import type { AssistantRights } from '../../shared/api/access'
import { type Calls, callsOf } from './calls'
import type { Client } from './client'

/** The calls of single pages of settings and system info; they are loaded with these pages. */
export function createAdministrationApi(client: Client) {
  const calls = callsOf(client)
  return {
    appPasswords: appPasswordsApi(client),
    appSessions: appSessionsApi(calls),
    audit: auditApi(calls),
    backups: backupsApi(calls),
    clips: clipsApi(client),
    destinations: destinationsApi(client),
    devices: devicesApi(client),
    everything: everythingApi(client),
    info: infoApi(calls),
    moves: movesApi(client),
    transcriptions: transcriptionsApi(client),
    passkeys: passkeysApi(client),
    secondFactor: secondFactorApi(calls),
    sessions: sessionsApi(calls),
    setAside: setAsideApi(calls),
  }
}
export type AdministrationApi = ReturnType<typeof createAdministrationApi>

export function appPasswordsApi(client: Client) {
  const { get, post, remove } = callsOf(client)
  return {
    list: get('/users/me/appPasswords'),
    create: (name: string, assistant?: AssistantRights) =>
      post('/users/me/appPasswords')({ name, ...(assistant && { assistant }) }),
    remove: remove('/users/me/appPasswords/:id'),
    asking: get('/access-requests/:id'),
    grant: post('/access-requests/:id/grant'),
  }
}

const appSessionsApi = ({ get, remove }: Calls) => ({
  list: get('/users/me/appSessions'),
  remove: remove('/users/me/appSessions/:id'),
})

/** '' = all; `day` as `2026-05-01`, in the browser's time zone. */
export type AuditFilter = { person: string; topic: AuditTopic | ''; day: string }

const auditApi = ({ page }: Calls) => ({
  page: ({ person, topic, day }: AuditFilter, cursor: string | null, signal?: AbortSignal) =>
    page('/audit')({ person, topic: topic || null, day, ...offsetOn(day), cursor }, signal),
})

const offsetOn = (day: string) => (day ? { offset: -new Date(`${day}T12:00`).getTimezoneOffset() } : {})

const backupsApi = ({ get, file, post, remove }: Calls) => ({
  list: get('/backups'),
  create: post('/backups'),
  file: file('/backups/:name'),
  remove: remove('/backups/:name'),
})

/** Passages of episodes: cut as files, and published. */
export function clipsApi(client: Client) {
  const { get, file, post, remove } = callsOf(client)
  return {
    /** The sound of a passage, in seconds; `id`: that of the episode. */
    cut: (id: string, start: number, end: number) =>
      file('/podcasts/episodes/:id/clip')(id, { start: rounded(start), end: rounded(end) }),
    list: get('/clips'),
    share: post('/clips'),
    end: remove('/clips/:id'),
  }
}
const rounded = (seconds: number) => Math.round(seconds * 100) / 100

export function destinationsApi(client: Client) {
  const { get, post, put, remove } = callsOf(client)
  return {
    list: get('/destinations'),
    kinds: get('/destinations/kinds'),
    pushKey: async () => (await get('/destinations/pushKey')()).key,
    create: post('/destinations'),
    edit: put('/destinations/:id'),
    remove: remove('/destinations/:id'),
    restore: post('/destinations/:id/restore'),
    test: post('/destinations/:id/test'),
  }
}

export function devicesApi(client: Client) {
  const { get, put, remove } = callsOf(client)
  return {
    list: get('/devices'),
    edit: put('/devices/:id'),
    remove: remove('/devices/:id'),
    wishes: get('/users/me/sync'),
    setWishes: put('/users/me/sync'),
  }
}

const everythingApi = (client: Client) => ({
  size: callsOf(client).get('/users/me/everything'),
  /** Address of the archive: it may be too large to be held by a page. */
  address: (withFiles: boolean) => client.address(`/users/me/everything.zip${withFiles ? '?files=true' : ''}`),
})

const infoApi = ({ get }: Calls) => ({
  system: get('/sys/info'),
  update: get('/sys/update'),
  build: get('/info'),
  stats: get('/stats/overview'),
})

export function movesApi(client: Client) {
  const { get, post, put, remove } = callsOf(client)
  return {
    list: get('/moves'),
    sources: get('/moves/sources'),
    start: post('/moves'),
    get: get('/moves/:id'),
    podcasts: get('/moves/:id/podcasts'),
    upload: (id: string, offset: number, part: Blob) => client.put<Move>(`/moves/${id}/file?offset=${offset}`, part),
    choose: put('/moves/:id/options'),
    begin: post('/moves/:id/begin'),
    retry: post('/moves/:id/retry'),
    undo: post('/moves/:id/undo'),
    drop: remove('/moves/:id'),
  }
}

/** Transcripts that a speech server makes; `id` of an episode is its `id`. */
export function transcriptionsApi(client: Client) {
  const { get, post, remove } = callsOf(client)
  return {
    list: get('/transcriptions'),
    retry: post('/transcriptions/:id/retry'),
    cancel: remove('/transcriptions/:id'),
    of: get('/podcasts/episodes/:id/transcription'),
    request: post('/podcasts/episodes/:id/transcription'),
    removeTranscript: remove('/podcasts/episodes/:id/transcripts/:tid'),
  }
}

/** The options of WebAuthn in JSON, which are passed to the browser as they are. */
type PasskeyOptions = Record<string, unknown>

/** Passkeys: those of the user, and the sign-in by one. */
export function passkeysApi(client: Client) {
  const { get, post, put, remove } = callsOf(client)
  return {
    list: get('/users/me/passkeys'),
    registration: (proof: Proof) => post('/users/me/passkeys/options')(proof) as Promise<PasskeyOptions>,
    add: post('/users/me/passkeys'),
    rename: (id: string, name: string) => put('/users/me/passkeys/:id')(id, { name }),
    remove: remove('/users/me/passkeys/:id'),
    request: () => post('/login/passkey/options')() as Promise<PasskeyOptions>,
    signIn: post('/login/passkey'),
  }
}

/** The second factor of the user's own sign-in. */
const secondFactorApi = ({ get, post, remove }: Calls) => ({
  state: get('/users/me/secondFactor'),
  begin: post('/users/me/secondFactor'),
  confirm: (code: string) => post('/users/me/secondFactor/confirm')({ code }),
  renewCodes: post('/users/me/secondFactor/recoveryCodes'),
  remove: remove('/users/me/secondFactor'),
  /** Removes that of another user, as an admin. */
  removeOf: remove('/users/:username/secondFactor'),
})

/** Everything that is signed in as the user. */
const sessionsApi = ({ get, remove }: Calls) => ({
  list: get('/users/me/sessions'),
  end: remove('/users/me/sessions/:id'),
  /** Ends all but this browser's. */
  endOthers: remove('/users/me/sessions'),
})

const setAsideApi = ({ get, post }: Calls) => ({
  list: get('/set-aside'),
  retry: ({ kind, key }: SetAsideKey) => post('/set-aside/retry')({ kind, key }),
})
