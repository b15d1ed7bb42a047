import type { Config } from '../config'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { AppSessionRow } from '../store/app-sessions'
import type { EndedSession, SessionRow } from '../store/sessions'
import { keyHash } from './keys'

type Needs = { store: Store; publish: Publish; now: Clock }

/** Everything that is signed in as one user, and how it ends. App passwords and keys are not sessions. */
type OwnSessions = { sessions: readonly SessionRow[]; apps: readonly AppSessionRow[] }

/** Lists and ends what is signed in as a user: browsers, podcast apps that sync, apps that renew their sign-in. */
export function createSessionList({ store, publish, now }: Needs) {
  return {
    of: (userId: number): OwnSessions => ({
      sessions: store.sessions.list(userId, now()),
      apps: store.appSessions.list(userId),
    }),
    /** Ends one of them. Throws `not-found`. */
    end(userId: number, uuid: string) {
      const session = store.sessions.removeOne(userId, uuid)
      if (session) return reportEnded(publish, userId, { sessions: [session] })
      const app = store.appSessions.remove(userId, uuid)
      if (!app) throw new Problem('not-found', 'Session not found')
      reportEnded(publish, userId, { apps: [app] })
    },
    /** Ends all of them but the browser session of this id. */
    endOthers(userId: number, keptId: number | null) {
      const ended = store.inTransaction(() => ({
        sessions: store.sessions.removeOthers(userId, keptId),
        apps: store.appSessions.removeOf(userId),
      }))
      reportEnded(publish, userId, ended)
    },
  }
}

/** The name of an app that gives none. */
const UNNAMED = '–'

/** A random uuid (version 8, RFC 9562) that says which API key began its session, so that it can end with the key. */
export const uuidMarkedBy = (apiKey: string) => markOf(keyHash(apiKey)) + crypto.randomUUID().slice(15)

/** The beginning of the uuid of each session that an API key began, by the key's hash. */
function markOf(hash: string | null): string {
  if (hash === null) return ''
  const digest = keyHash(`app session ${hash}`)
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8`
}

/** Sessions that have ended; `apps`: those of apps that renew their sign-in. */
export type Ended = { sessions?: readonly EndedSession[]; apps?: readonly EndedSession[] }

/** Ends sessions that were begun with what is no longer a key of this user. */
export function removeSessionsOfOtherKeys(store: Store, config: Config, userId: number): Ended {
  const { id, api_key_hash, built_in } = store.users.find(userId)!
  const configured = built_in && config.apiKey !== null ? keyHash(config.apiKey) : null
  const marks = [markOf(api_key_hash), markOf(configured)] as const
  return {
    sessions: store.sessions.removeOfOtherKeys(id, ...marks),
    apps: store.appSessions.removeOfOtherKeys(id, ...marks),
  }
}

/** Reports the end of a user's sessions, after the commit. */
export function reportEnded(publish: Publish, userId: number, { sessions = [], apps = [] }: Ended) {
  for (const { id, name } of sessions) publish({ type: 'sessionEnded', userId, sessionId: id, device: name })
  for (const { id, name } of apps)
    publish({ type: 'appSessionEnded', userId, appSessionId: id, app: name === UNNAMED ? '' : name })
}
