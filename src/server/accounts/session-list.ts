import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { AppSessionRow } from '../store/app-sessions'
import type { SessionRow } from '../store/sessions'
import { reportEnded } from './key-sessions'

type Needs = { store: Store; publish: Publish; now: Clock }

/** Everything that is signed in as one user, and the ends of it. App passwords and keys are no sessions. */
export type OwnSessions = { sessions: readonly SessionRow[]; apps: readonly AppSessionRow[] }

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
