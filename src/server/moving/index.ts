import { join } from 'node:path'
import type { Users } from '../accounts/users'
import type { Config } from '../config'
import type { Covers } from '../covers/covers'
import type { ForgottenFiles } from '../downloads/forgotten'
import type { Names } from '../downloads/names'
import type { Downloads } from '../downloads/queue'
import type { Renaming } from '../downloads/rename'
import type { MediaReader } from '../media/reader'
import type { Clock } from '../platform/clock'
import type { Secret } from '../platform/secret'
import type { MediaFiles } from '../storage'
import type { Store } from '../store'
import type { UserRow } from '../store/users'
import { createMoves, type Moves } from './moves'
import type { MovingNeeds, StartReader } from './needs'
import { rehearse } from './rehearse'

type Needs = Omit<MovingNeeds, 'folder' | 'startReader' | 'addresses' | 'names' | 'removeUser' | 'rehearse' | 'disk'> &
  Pick<Parameters<typeof rehearse>[0], 'openCopy' | 'newThread'> & {
    config: Config
    isServer: boolean
    startReader: (folder: string) => StartReader
    sync: Parameters<typeof createMoves>[0]['sync'] & Pick<MovingNeeds, 'addresses'>
    users: Users
    covers: Covers
    disk: {
      files: MediaFiles
      names: Names
      forgotten: ForgottenFiles
      rename: Renaming
      media: MediaReader
      downloads: Downloads
    }
  }

/** Creates everything that imports libraries of other programs, and exports this one. */
export function createMoving({ isServer, users, covers, disk, startReader, ...needs }: Needs) {
  const { config } = needs
  const { files, downloads } = disk
  const folder = join(config.dataFolder, 'moving')
  const moves: Moves = createMoves({
    ...needs,
    folder,
    startReader: startReader(folder),
    addresses: needs.sync.addresses,
    names: users,
    removeUser: users.remove,
    rehearse: isServer ? rehearsal => rehearse(needs, rehearsal) : null,
    disk: {
      ...disk,
      files: files.folder,
      reserveBytes: config.reserveBytes,
      keepCover: covers.keep,
      dropCovers: covers.removeUnused,
      cancelDownload: row => downloads.cancel(row, false),
    },
  })
  return { moves, movingOut: createMovingOut({ ...needs, files }) }
}

// Why: docs/internals/decisions/0036

type OutNeeds = { store: Store; secret: Secret; files: Pick<MediaFiles, 'storageOf'>; now: Clock }
type Wanted = { withFiles: boolean; withPasswords: boolean }

/** Exports everything of a person. */
export const createMovingOut = ({ store, secret, files, now }: OutNeeds) => ({
  /** The number of podcasts in an archive, and of their files with their bytes. */
  sizeFor: (user: UserRow) => store.exports.sizeFor(user),
  /** Writes an archive, piece by piece as it is read. */
  async *archiveFor(user: UserRow, { withFiles, withPasswords }: Wanted): AsyncGenerator<Uint8Array> {
    const { writeArchive } = await import('./out/archive')
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
