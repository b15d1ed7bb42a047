import { join } from 'node:path'
import type { WorkKind } from '../../../shared/api/job'
import { findNameFault, showName } from '../../../shared/username'
import { tryAgain } from '../../begun-work'
import { DAY } from '../../platform/clock'
import type { MediaFiles } from '../../storage'
import type { Store } from '../../store'
import { counted, type Finding, fine, problem, some, warning } from './folders'
import { examineMedia } from './media'
import { existsSync, rmSync } from 'node:fs'
import { RESTORING_FILE } from '../../data-folder'
import { listStrays } from '../../moving/moves'
import { filesBelow } from '../../storage/folder'

type Needs = { store: Store; files: MediaFiles; dataFolder: string; now: number; hasOtherAdmins: boolean }

/** Examines the database, and whether the files that it knows are on the disk. */
export async function examineLibrary({ store, files, dataFolder, now, hasOtherAdmins }: Needs): Promise<Finding[]> {
  const damage = store.health.damage()
  if (damage !== null) return [problem(`the database is damaged (${damage}): restore a backup`)]
  return [
    fine('the database is intact'),
    ...checkClock(store, now),
    ...checkAdmins(store, hasOtherAdmins),
    ...checkNames(store),
    ...checkSearchIndex(store),
    ...(await examineMedia(store, files, now)),
    ...examineCovers(store, join(dataFolder, 'covers')),
    ...examineLeftovers(store, dataFolder),
    ...checkRenameRuns(store),
    ...checkRemovals(store),
    ...checkTwins(store),
    ...checkSetAside(store, now),
  ]
}

function checkClock(store: Store, now: number): Finding[] {
  const behind = store.health.latest() - now
  if (behind <= DAY) return []
  return [problem(`the clock is ${Math.ceil(behind / DAY)} days behind the latest entry in the library: set it`)]
}

function checkAdmins(store: Store, hasOthers: boolean): Finding[] {
  if (store.health.admins() > 0 || hasOthers) return []
  if (store.users.list().length === 0) return [fine('there is no account yet: the first start creates the admin')]
  return [problem('no admin: castellan users update NAME --role admin')]
}

/** Names of earlier versions that no new account may have. */
function checkNames(store: Store): Finding[] {
  const users = store.users.list()
  const odd = users.filter(user => findNameFault(user.username) !== null)
  const alike = users.filter(user => !odd.includes(user) && store.users.findLookalike(user.username, user.id))
  return [
    ...(odd.length === 0 ? [] : [warning(`names that are hard to address or to see: ${namesOf(odd)}. ${ADVICE}`)]),
    ...(alike.length === 0 ? [] : [warning(`names that look like another's: ${namesOf(alike)}. ${ADVICE}`)]),
  ]
}

const ADVICE = 'Rename them in Administration › Users'

/** Names as shown in a terminal: everything invisible as its code point. */
const namesOf = (users: readonly { username: string }[]) => some(users.map(({ username }) => `"${showName(username)}"`))

function checkSearchIndex(store: Store): Finding[] {
  if (!store.health.isIndexDamaged()) return [fine('the search index is intact')]
  return [
    problem('the search index is damaged', () => {
      store.inTransaction(() => store.health.emptyIndex())
      return 'emptied; the running server fills it again'
    }),
  ]
}

function checkRemovals(store: Store): Finding[] {
  return store.removals.list().map(removal => {
    const rows = counted(store.removals.remaining(removal), 'row is', 'rows are')
    return warning(`${rows} left of "${removal.title}", which was removed; the running server deletes them`)
  })
}

const MAX_TWINS = 10

/** Pairs of episodes that an update was not sure of. Only a person can decide: a repair keeps them separate. */
function checkTwins(store: Store): Finding[] {
  const count = store.twins.countUnsure()
  if (count === 0) return []
  const pairs = store.twins
    .listUnsure(MAX_TWINS)
    .map(({ podcast, one, other }) => `"${showName(one)}" and "${showName(other)}" of "${showName(podcast)}"`)
  const more = count > pairs.length ? `; and ${count - pairs.length} more` : ''
  return [
    warning(
      `${counted(count, 'pair of episodes', 'pairs of episodes')} that may be one: ${pairs.join('; ')}${more}. ` +
        'Choose "Same episode as…" in the menu of one of them, or repair to keep all of them apart',
      () => {
        store.inTransaction(() => store.twins.keepUnsureApart())
        return 'kept apart'
      },
    ),
  ]
}

/** Work during which the server stopped twice. */
function checkSetAside(store: Store, now: number): Finding[] {
  return store.begunWork.listSetAside().map(({ kind, key, label }) => {
    const work = describeWork[kind as WorkKind](label === '' ? '' : ` "${showName(label)}"`)
    return problem(`set aside, since the server stopped twice while ${work}`, () => {
      tryAgain(store, { kind: kind as WorkKind, key }, now)
      return 'the server tries it again'
    })
  })
}

/** Describes the interrupted work. `name`: a space and its object in quotation marks; empty if it has no name. */
const describeWork: Record<WorkKind, (name: string) => string> = {
  backup: () => 'making a scheduled backup',
  check: () => 'checking the database',
  color: name => `finding the colour of the cover of${name}`,
  cover: name => `storing the cover of${name}`,
  delivery: name => `sending a message to${name}`,
  document: name => `reading the chapters or transcript of${name}`,
  download: name => `downloading${name}`,
  feed: name => `reading the feed of${name}`,
  import: name => `importing the feed${name}`,
  index: name => `filling the search index${name && ` with${name}`}`,
  'kept-file': name => `reading the kept file${name}`,
  move: name => `bringing in${name} from another program`,
  removal: name => `removing${name}`,
  rename: name => `renaming${name}`,
  sidecar: name => `writing the files for other programs next to${name}`,
  transcription: name => `transcribing${name}`,
}

function checkRenameRuns(store: Store): Finding[] {
  const isRunning = store.jobs.running().some(job => job.kind === 'rename')
  return isRunning ? [warning('a rename run was interrupted; the server resumes it when it starts')] : []
}

/** Lists what a killed process left in the data folder; the next start of the server removes it as well. */
function examineLeftovers(store: Store, dataFolder: string): Finding[] {
  const folder = join(dataFolder, 'moving')
  const paths = [
    ...listStrays({ folder, store }).map(name => join(folder, name)),
    ...[join(dataFolder, RESTORING_FILE)].filter(path => existsSync(path)),
  ]
  if (paths.length === 0) return []
  const [first] = paths
  return [
    warning(
      `${counted(paths.length, 'copy', 'copies')} of an interrupted import or restore: ${first}${paths.length > 1 ? ', …' : ''}`,
      () => {
        for (const path of paths) rmSync(path, { recursive: true, force: true })
        return 'deleted'
      },
    ),
  ]
}

/** Compares the covers on the disk with the library, in both directions. */
function examineCovers(store: Store, folder: string): Finding[] {
  const rows = store.health.covers()
  const gone = rows.filter(({ digest }) => !existsSync(join(folder, digest.slice(0, 2), digest)))
  const known = new Set(rows.map(({ digest }) => digest))
  const strays = filesBelow(folder).filter(path => !known.has(digestOf(path)))
  return [
    ...(gone.length === 0
      ? []
      : [warning(counted(gone.length, 'cover is gone', 'covers are gone'), () => forgetCovers(store, gone))]),
    ...(strays.length === 0
      ? []
      : [
          warning(counted(strays.length, 'cover belongs to no podcast', 'covers belong to no podcast'), () =>
            remove(folder, strays),
          ),
        ]),
  ]
}

/** The digest in `ab/abcdef-256.webp`: resized copies are next to the original. */
const digestOf = (path: string) => path.split('/').at(-1)!.split(/[.-]/, 1)[0]!

function forgetCovers(store: Store, gone: readonly { id: number }[]): string {
  store.inTransaction(() => {
    for (const { id } of gone) store.health.forgetCover(id)
  })
  return 'the running server fetches them again'
}

function remove(folder: string, strays: readonly string[]): string {
  for (const path of strays) rmSync(join(folder, path), { force: true })
  return 'deleted'
}
