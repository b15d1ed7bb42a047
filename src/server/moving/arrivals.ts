import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freeBytes } from '../storage/folder'
import { invalidField, Problem } from '../platform/problem'
import type { MoveRow } from '../store/moves'
import type { UserRow } from '../store/users'
import { COPY, MAX_BYTES } from './copy-source'
import { type FileOptions, noteProgress } from './needs'
import { filesOf, hostOf, loginOf, sealLogin } from './other-server'
import { nameOf, recognise } from './read-source'
import type { ServerLogin } from './servers'
import { MoveRefused } from './item'
import { failureOf, itemOf, type Mover } from './work'

/** The largest file of a person who isn't an admin: room for hundreds of thousands of episodes. */
const MAX_BYTES_OF_OTHERS = 1024 ** 3
const PART = `${COPY}.part`
/** Files that are read at a time: reading takes memory, and each is tried out on a copy of the library. */
const MAX_AT_ONCE = 3

type Upload = { name: string; bytes: number; from: string | null }

/**
 * Moves that begin in a browser: the file is received in parts, or copied from a path on the server; then it is
 * recognised and rehearsed; then it waits for a person to start it.
 */
export function createArrivals(mover: Mover) {
  const { store } = mover
  /** The move of each person whose file is being read. */
  const reading = new Map<number, { id: number; done: Promise<void>; cancel: AbortController }>()

  /**
   * Reads the oldest file of each person who has none being read, a few at a time, so that nobody keeps others waiting.
   */
  function resume() {
    // An account may have been removed, also by the command line.
    for (const { id, cancel } of reading.values()) if (!store.moves.find(id)) cancel.abort()
    if (mover.stopping.signal.aborted) return
    for (const move of store.moves.reading()) {
      if (reading.size >= MAX_AT_ONCE) return
      if (!reading.has(move.user_id) && !mover.begun.isSetAside('move', move.uuid)) start(move)
    }
  }
  function start(move: MoveRow) {
    const cancel = new AbortController()
    const signal = AbortSignal.any([cancel.signal, mover.stopping.signal])
    const work = mover.begun.run(
      itemOf(move),
      () => read(mover, move, signal),
      () => {},
    )
    const done = work.finally(() => {
      reading.delete(move.user_id)
      // The process that read it may have written until it ended.
      if (!store.moves.find(move.id)) removeFile(mover, move)
      resume()
    })
    reading.set(move.user_id, { id: move.id, done, cancel })
  }
  function drop(move: MoveRow) {
    store.removeEach('move', [{ id: move.id, title: move.file_name }])
    const under = reading.get(move.user_id)
    if (under?.id === move.id) under.cancel.abort()
    removeFile(mover, move)
  }
  return {
    resume,
    async settled() {
      while (reading.size > 0) await Promise.all([...reading.values()].map(({ done }) => done))
    },
    actions: createActions(mover, { resume, drop }),
  }
}

type Reading = { resume: () => void; drop: (move: MoveRow) => void }

/** The steps of a person: upload or name a file, choose what is imported from it, begin the move, or drop it. */
function createActions(mover: Mover, { resume, drop }: Reading) {
  const { store, now } = mover

  type Arriving = Pick<MoveRow, 'file_name' | 'given_source'> & Partial<Pick<MoveRow, 'path' | 'bytes' | 'server'>>
  const arrive = (user: UserRow, { path = null, bytes = null, server = null, ...more }: Arriving) => {
    // A person who uploads another file replaces the last one.
    for (const move of store.moves.listFor(user.id)) if (!move.begun) drop(move)
    const stage = bytes !== null ? ('receiving' as const) : ('reading' as const)
    const row = { uuid: crypto.randomUUID(), user_id: user.id, authority: authorityOf(user), stage }
    const move = store.moves.receive({ ...row, ...more, path, bytes, server }, now())
    if (bytes === null) resume()
    return move
  }

  return {
    /** Notes a file that is about to be uploaded. Throws `too-large` and `disk-full`. */
    async receive(user: UserRow, { name, bytes, from }: Upload): Promise<MoveRow> {
      const most = user.role === 'admin' ? MAX_BYTES : MAX_BYTES_OF_OTHERS
      if (bytes > most) throw tooLarge(most)
      await requireRoom(mover, bytes)
      return arrive(user, { file_name: nameOf(name), given_source: from, bytes })
    },
    /** Notes a file that is on the server. */
    bring: (user: UserRow, path: string, from: string | null): MoveRow =>
      arrive(user, { file_name: nameOf(path), given_source: from, path }),
    /** Notes a server that a person names, with the credentials there, sealed until they are no longer needed. */
    bringFromServer: (user: UserRow, login: Omit<ServerLogin, 'isAdmin'>): MoveRow =>
      arrive(user, {
        file_name: hostOf(login),
        given_source: null,
        server: sealLogin(mover, { ...login, isAdmin: false }),
      }),
    /** The bytes received of an upload. */
    received: (move: MoveRow) => bytesHere(mover, move),
    /**
     * Appends a part of an upload; after the last one it is read. Throws `move-state` unless it begins at the end.
     */
    append(move: MoveRow, offset: number, part: Uint8Array): MoveRow {
      requireState(move, 'receiving')
      const here = bytesHere(mover, move)
      if (offset !== here || here + part.byteLength > move.bytes!)
        throw new Problem('move-state', `The next part begins at ${here}`, { offset: String(here) })
      const folder = join(mover.folder, move.uuid)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      appendFileSync(join(folder, PART), part, { mode: 0o600 })
      if (here + part.byteLength < move.bytes!) return move
      renameSync(join(folder, PART), join(folder, COPY))
      store.moves.setStage(move.id, 'reading')
      resume()
      return store.moves.find(move.id)!
    },
    /** Chooses what else is imported; the rehearsal starts over. Throws `move-state`. */
    choose(move: MoveRow, { withUsers, files }: { withUsers: boolean; files: FileOptions | null }) {
      requireState(move, 'ready')
      if (files) mover.disk.files.requirePresent()
      if (files?.way === 'fetched' && move.server === null) throw invalidField('fetchFiles', 'false for this source')
      store.moves.choose(move.id, withUsers, files && JSON.stringify(files))
      resume()
    },
    /** Lets a rehearsed move begin. Throws `move-state`. */
    begin(move: MoveRow) {
      requireState(move, 'ready')
      store.inTransaction(() => store.moves.begin(move.id))
      mover.publish({ type: 'recorded', kind: 'import-started', detail: move.file_name })
    },
    /** Drops a move that has not begun, or failed before it did. Throws `move-state`. */
    drop(move: MoveRow) {
      if (move.begun) throw wrongState(move)
      drop(move)
    },
  }
}

/** Decides whose data an account may write with a file that it uploads. */
function authorityOf({ role }: UserRow): MoveRow['authority'] {
  if (role === 'admin') return 'everybody'
  return role === 'uploader' ? 'library' : 'self'
}

function requireState(move: MoveRow, state: MoveRow['state']) {
  if (move.state !== state) throw wrongState(move)
}
const wrongState = ({ state }: MoveRow) => new Problem('move-state', `This import is ${state}`)

function removeFile({ folder }: Mover, { uuid }: MoveRow) {
  rmSync(join(folder, uuid), { recursive: true, force: true })
}

const bytesHere = ({ folder }: Mover, { uuid }: MoveRow) =>
  statSync(join(folder, uuid, PART), { throwIfNoEntry: false })?.size ?? 0

/** A copy of the library is made for the rehearsal, in addition to the file. */
async function requireRoom({ folder, store, disk }: Mover, bytes: number) {
  const needed = bytes + store.bytes() + disk.reserveBytes
  const free = await freeBytes(dirname(folder))
  if (free < needed)
    throw new Problem('disk-full', `This needs ${needed} bytes, but the disk has ${free} bytes free`, {
      needed: String(needed),
      free: String(free),
    })
}

const tooLarge = (limit: number) =>
  new Problem('too-large', `The file is too large, the limit is ${limit} bytes`, { limit: String(limit) })

/** Recognises the file of a move and rehearses it; an error ends it. */
async function read(mover: Mover, move: MoveRow, signal: AbortSignal) {
  const { store, now } = mover
  const isHere = () => store.moves.find(move.id) !== null && !signal.aborted
  try {
    await readAndRehearse(mover, move, signal, isHere)
  } catch (error) {
    await store.whenWritable()
    if (!isHere()) return
    store.moves.failToRead(move.id, failureOf(mover, error, { file: move.file_name }), now())
    removeFile(mover, move)
  }
  if (isHere()) noteProgress(mover, move)
}

/** Copies everything of a person on a server, unless that is done: a killed process starts over. */
async function copyOnce(mover: Mover, move: MoveRow, path: string, signal: AbortSignal) {
  const login = loginOf(mover, move)
  if (!login || existsSync(path)) return
  const { copyServer } = await import('./servers')
  const part = join(dirname(path), PART)
  rmSync(part, { force: true })
  const sender = await copyServer(mover.outbound, login, part, signal)
  await mover.store.whenWritable()
  mover.store.inTransaction(() =>
    mover.store.moves.copied(move.id, sender && sealLogin(mover, { ...sender, isAdmin: false })),
  )
  renameSync(part, path)
}

async function readAndRehearse(mover: Mover, move: MoveRow, signal: AbortSignal, isHere: () => boolean) {
  const { store } = mover
  const folder = join(mover.folder, move.uuid)
  const path = join(folder, COPY)
  await copyOnce(mover, move, path, signal)
  const copying = move.path === null ? null : { path: move.path, folder, list: null, isCopy: false }
  const user = store.users.find(move.user_id)
  if (!user) throw new MoveRefused('user-not-found', 'The account is gone')
  if (!isHere()) return
  const { source, ownName, podcasts } = await recognise(mover, { path, from: move.given_source, copying }, signal)
  await store.whenWritable()
  if (!isHere()) return
  store.inTransaction(() => store.moves.recognised(move.id, source, ownName, podcasts))
  noteProgress(mover, move)
  if (!mover.rehearse) throw new Error('A rehearsal cannot rehearse')
  const { items, counts, failure } = await mover.rehearse({
    path,
    user,
    from: source,
    authority: move.authority,
    withUsers: move.with_users === 1,
    files: filesOf(move),
    signal,
  })
  if (failure) throw new MoveRefused(failure.code, failure.message, failure.args)
  await store.whenWritable()
  if (isHere()) store.inTransaction(() => store.moves.rehearsed(move.id, items, counts))
}
