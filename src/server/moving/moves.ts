import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY } from '../platform/clock'
import { isOfLivingProcess, nameOfThisProcess } from '../platform/instance-lock'
import type { MoveRow } from '../store/moves'
import type { UserRow } from '../store/users'
import { createArrivals } from './arrivals'
import { COPY, type Copying, keepSource } from './copy-source'
import { MoveRefused } from './item'
import type { FileOptions, FileWay, MovingNeeds } from './needs'
import { fetchedFiles, hostOf, sealLogin } from './other-server'
import { nameOf, recognise } from './read-source'
import { listFolder, scanFolder } from './scan-folder'
import type { ServerLogin } from './servers'
import { folder as folderSource, writeInventory } from './sources'
import { requireUndoable, undoableUntil } from './undo'
import { cancelAbandoned, type Mover, nextOf, run } from './work'

// Why: docs/internals/decisions/0030

export type Moves = ReturnType<typeof createMoves>

const KEPT_MS = 7 * DAY

type StartOptions = {
  /** The program that made the file; null = it is recognised. */
  from?: string | null
  files?: FileOptions | null
  /** The path of an OPML list that belongs to the file. */
  list?: string | null
  /** Whether the path is a copy of ours. */
  isCopy?: boolean
  /** Whether people without an account get one, which only an admin may choose. */
  withUsers?: boolean
  authority?: MoveRow['authority']
}

/**
 * Moves from other programs: each is noted with all its podcasts, next to a copy of its file, before anything is done,
 * and continues after a restart.
 */
export function createMoves(needs: MovingNeeds) {
  const mover: Mover = { ...needs, running: new Map(), stopping: new AbortController() }
  const { store } = needs
  const arrivals = createArrivals(mover)
  return {
    ...arrivals.actions,
    /** Copies a file, recognises it, and notes the move, which also imports `files`. Throws `MoveRefused`. */
    start(user: UserRow, path: string, { list = null, isCopy = false, ...options }: StartOptions = {}) {
      const given = { name: path, ...options }
      return begin(mover, user, given, async folder => {
        // Its list is one that we made: nobody imports such a file.
        if (options.from === folderSource.name)
          throw new MoveRefused('move-no-file', `${path} is not a folder`, { path })
        return { copying: { path, folder, list, isCopy } }
      })
    },
    /** Copies what a person has on a server, and notes the move. Throws `MoveRefused`. */
    startFromServer(user: UserRow, login: ServerLogin, withFiles = false) {
      if (withFiles && needs.readsFeeds) needs.disk.files.requirePresent()
      return begin(mover, user, { name: hostOf(login) }, async folder => {
        const { copyServer } = await import('./servers')
        const sender = await copyServer(needs.outbound, login, join(folder, COPY), mover.stopping.signal)
        if (withFiles && !sender)
          throw new MoveRefused('move-other-program', 'Only another Castellan sends its files, by --from castellan', {
            program: 'Castellan',
          })
        return { sender: withFiles ? sender : null }
      })
    },
    /** Notes the move of a folder of audio files; see `scanFolder` for `title`. Throws `MoveRefused`. */
    async startFolder(user: UserRow, path: string, title: string | null, way: FileWay): Promise<MoveRow> {
      const root = await realpath(path)
      const files = { folders: [{ from: root, to: root }], way }
      const given = { name: root, from: folderSource.name, files }
      return begin(mover, user, given, async folder => {
        const scanned = await scanFolder({ media: needs.disk.media, now: needs.now() }, root, title)
        keepSource(folder, writeInventory(listFolder(store, scanned)))
        return {}
      })
    },
    /** Continues the oldest move that was begun, while the others wait for it, and reads the next file. */
    resume() {
      arrivals.resume()
      cancelAbandoned(mover)
      const move = nextOf(mover)
      if (move) run(mover, move)
    },
    /**
     * Begins to undo a move, until a day after it ended; one that is still running is cancelled. One that is being
     * undone continues. Throws `move-not-found`, `move-too-old` and `move-undone`.
     */
    undo(user: UserRow, id: number): MoveRow {
      const move = requireUndoable(needs, user, id)
      needs.begun.retry({ kind: 'move', key: move.uuid })
      store.moves.beginUndo(move.id, needs.now())
      needs.publish({ type: 'recorded', kind: 'import-undone', detail: move.file_name })
      cancelAbandoned(mover)
      return store.moves.find(move.id)!
    },
    undoableUntil: (move: MoveRow) => undoableUntil(needs, move),
    /** Removes copies of files and of the library that a killed process left. */
    recover: () => removeStrays(needs),
    /** Forgets moves that ended a week ago or never began, and removes copies that no move needs. */
    async tidy() {
      store.removeEach('move', store.moves.olderThan(needs.now() - KEPT_MS, needs.now() - DAY))
      await removeStrays(needs)
    },
    /** Resolves when no move is running here, and no file is read. */
    async settled() {
      await arrivals.settled()
      while (mover.running.size > 0) await Promise.all(works(mover))
    },
    /** Ends the reading of files; the next start continues the moves. */
    async stop() {
      mover.stopping.abort()
      await Promise.all([...works(mover), arrivals.settled()])
    },
  }
}

const works = ({ running }: Mover) => [...running.values()].map(({ done }) => done)

type Given = Omit<StartOptions, 'list' | 'isCopy'> & { name: string }

/**
 * Notes a move whose source `bring` puts into its own folder, or says what is to be copied into it, and leaves nothing
 * behind if that fails.
 */
async function begin(
  mover: Mover,
  user: UserRow,
  { name, from = null, files = null, authority = 'everybody', withUsers = false }: Given,
  bring: (folder: string) => Promise<{ copying?: Copying; sender?: ServerLogin | null }>,
): Promise<MoveRow> {
  if (withUsers && user.role !== 'admin')
    throw new MoveRefused('not-admin', `${user.username} is not an admin: only an admin can import people`)
  if (files && mover.readsFeeds) mover.disk.files.requirePresent()
  const { store } = mover
  const uuid = crypto.randomUUID()
  // Until the move is noted, its copy belongs to this process.
  const unnoted = join(mover.folder, nameOfThisProcess('copy'))
  const folder = join(mover.folder, uuid)
  try {
    const { copying = null, sender = null } = await bring(unnoted)
    const opening = { path: join(unnoted, COPY), from, copying }
    const { source, ownName, podcasts } = await recognise(mover, opening, mover.stopping.signal)
    const given = { file_name: nameOf(name), own_name: ownName, authority, with_users: Number(withUsers) }
    const move = { uuid, user_id: user.id, source, ...given }
    renameSync(unnoted, folder)
    const row = store.inTransaction(() => {
      const row = store.moves.add(move, podcasts, mover.now())
      const server = sender && sealLogin(mover, sender)
      const brought = sender ? fetchedFiles : files
      if (brought) store.moves.bringFiles(row.id, JSON.stringify(brought), server)
      return row
    })
    mover.publish({ type: 'recorded', kind: 'import-started', about: user, detail: row.file_name })
    return row
  } catch (error) {
    for (const left of [unnoted, folder]) rmSync(left, { recursive: true, force: true })
    throw error
  }
}

type Needs = Pick<MovingNeeds, 'folder' | 'store'>

/** Lists what a killed process left in the folder of moves: copies of files, and of the library. */
export function listStrays({ folder, store }: Needs): string[] {
  if (!existsSync(folder)) return []
  const needed = new Set(store.moves.withFile())
  return readdirSync(folder).filter(name => !needed.has(name) && !isOfLivingProcess(name))
}

/** Removes them. */
async function removeStrays(needs: Needs) {
  for (const name of listStrays(needs))
    // On Windows one may be open.
    await rm(join(needs.folder, name), { recursive: true, force: true }).catch(() => undefined)
}
