import type { MediaFiles } from '../../storage'
import type { Clock } from '../../platform/clock'
import type { Secret } from '../../platform/secret'
import type { Store } from '../../store'
import type { UserRow } from '../../store/users'

// Why: docs/internals/decisions/0036

type Needs = { store: Store; secret: Secret; files: Pick<MediaFiles, 'storageOf'>; now: Clock }
type Wanted = { withFiles: boolean; withPasswords: boolean }

export type MovingOut = ReturnType<typeof createMovingOut>

/** Lets people take everything of theirs along. */
export const createMovingOut = ({ store, secret, files, now }: Needs) => ({
  /** The number of podcasts in an archive, and of their files with their bytes. */
  sizeFor: (user: UserRow) => store.exports.sizeFor(user),
  /** Writes an archive, piece by piece as it is read. */
  async *archiveFor(user: UserRow, { withFiles, withPasswords }: Wanted): AsyncGenerator<Uint8Array> {
    const { writeArchive } = await import('./archive')
    yield* writeArchive({
      store,
      secret,
      user,
      now: now(),
      files: withFiles ? files : null,
      withPasswords,
      podcasts: store.exports.podcastsFor(user),
    })
  },
  /** The name under which an archive made now is saved. */
  fileName: () => `castellan-${new Date(now()).toISOString().slice(0, 10)}.zip`,
})
