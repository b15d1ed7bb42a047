import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DAY } from '../platform/clock'
import { describeError, logFailure } from '../platform/log'
import { ForeignDatabaseError } from '../store/foreign-database'
import type { MoveRow, NewMovePodcast } from '../store/moves'
import type { UserRow } from '../store/users'
import { addressKey } from '../sync/addresses'
import { addPodcasts } from './add-podcasts'
import { COPY, copySource } from './copy-source'
import type { PodcastItem } from './item'
import type { MovingNeeds } from './needs'
import { readSource, type ReadSource } from './read-source'
import { MoveRefused } from './refused'

export type Moves = ReturnType<typeof createMoves>

const MOST_PODCASTS = 5000
const KEPT_MS = 7 * DAY

type Mover = MovingNeeds & { running: Map<number, Promise<void>>; isStopped: boolean }

/**
 * Moves from other programs: each is noted with all its podcasts, beside a copy of its file, before anything is done,
 * and continues after a restart.
 */
export function createMoves(needs: MovingNeeds) {
  const mover: Mover = { ...needs, running: new Map(), isStopped: false }
  const { store } = needs
  return {
    /**
     * Copies a file, recognises it (or takes it for one of the program `from`), and notes the move. Throws
     * `MoveRefused` and `ForeignDatabaseError`.
     */
    async start(user: UserRow, path: string, from: string | null = null): Promise<MoveRow> {
      const uuid = crypto.randomUUID()
      const folder = join(needs.folder, uuid)
      try {
        return await noteMove(needs, user, { uuid, path: copySource(path, folder), name: basename(path), from })
      } catch (error) {
        rmSync(folder, { recursive: true, force: true })
        throw error
      }
    },
    /** Continues the oldest move that was begun; the others wait for it. */
    resume() {
      const [move] = store.moves.running()
      if (move) run(mover, move)
    },
    /** Forgets moves that ended a week ago, and copies that no move needs. */
    tidy() {
      store.moves.removeOlderThan(needs.now() - KEPT_MS)
      removeStrays(needs)
    },
    /** Resolves when no move is running here. */
    async settled() {
      await Promise.all(mover.running.values())
    },
    async stop() {
      mover.isStopped = true
      await Promise.all(mover.running.values())
    },
  }
}

type Start = { uuid: string; path: string; name: string; from: string | null }

async function noteMove(needs: MovingNeeds, user: UserRow, { uuid, path, name, from }: Start): Promise<MoveRow> {
  const { store, secret, now } = needs
  const open = await readSource(needs.newThread, { path, from, now: now(), isChecked: false })
  try {
    const { users, podcasts } = await readBeginning(open)
    const rows = podcasts.map((item): NewMovePodcast => ({
      feed_url: item.feed,
      title: item.title,
      own_title: item.ownTitle ?? null,
      guid: item.guid ?? null,
      active: Number(item.active),
      sealed: item.credentials ? secret.seal(JSON.stringify(item.credentials)) : null,
    }))
    const own_name = users.length === 1 ? users[0]! : null
    const move = { uuid, user_id: user.id, source: open.source, file_name: name.slice(0, 255), own_name }
    return store.inTransaction(() => store.moves.add(move, rows, now()))
  } finally {
    await open.close()
  }
}

/** Reads the people and podcasts, with which every source begins. */
async function readBeginning({ items }: ReadSource) {
  const users: string[] = []
  const podcasts = new Map<string, PodcastItem>()
  for await (const item of items()) {
    if (item.is === 'user') users.push(item.name)
    else if (item.is === 'podcast') podcasts.getOrInsertComputed(addressKey(item.feed), () => item)
    else break
    if (podcasts.size > MOST_PODCASTS || users.length > MOST_PODCASTS)
      throw new MoveRefused(`The file has more than ${MOST_PODCASTS} podcasts or people`)
  }
  return { users, podcasts: [...podcasts.values()] }
}

function run(mover: Mover, move: MoveRow) {
  const { running, log } = mover
  if (running.size > 0 || mover.isStopped) return
  const work = moveAll(mover, move)
    .catch(logFailure(log, 'Move failed'))
    .finally(() => running.delete(move.id))
  running.set(move.id, work)
}

async function moveAll(mover: Mover, move: MoveRow) {
  const { store, now, folder } = mover
  const user = store.users.find(move.user_id)
  if (!user) return
  const mayContinue = () => !mover.isStopped && store.moves.find(move.id) !== null
  try {
    if (move.state === 'adding') await addPodcasts(mover, move, user, mayContinue)
    if (!mayContinue()) return
    if (move.state === 'adding') store.moves.setState(move.id, 'applying', null, null)
    await applyAll(mover, move, mayContinue)
    if (!mayContinue()) return
    store.moves.setState(move.id, 'done', null, now())
  } catch (error) {
    if (!isExpected(error)) mover.log.error('A move failed', { source: move.source, error: describeError(error) })
    store.moves.setState(move.id, 'failed', isExpected(error) ? error.message : 'Internal error; see the log', now())
  }
  rmSync(join(folder, move.uuid), { recursive: true, force: true })
}

const isExpected = (error: unknown): error is Error =>
  error instanceof MoveRefused || error instanceof ForeignDatabaseError

async function applyAll(mover: Mover, move: MoveRow, mayContinue: () => boolean) {
  const path = join(mover.folder, move.uuid, COPY)
  if (!existsSync(path)) throw new MoveRefused('The copy of the file is gone. Start the move again.')
  const open = await readSource(mover.newThread, { path, from: move.source, now: move.started_at, isChecked: true })
  try {
    // Loaded here: sanitising the notes of episodes needs a large library.
    const { applyItems } = await import('./apply-items')
    await applyItems(mover, mover.store.moves.find(move.id)!, open.items(), mayContinue)
  } finally {
    await open.close()
  }
}

/** Removes copies that no move needs: a process was killed before it noted the move. A fresh one may be noted yet. */
function removeStrays({ folder, store, now }: MovingNeeds) {
  if (!existsSync(folder)) return
  const running = new Set(store.moves.running().map(({ uuid }) => uuid))
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (!running.has(name) && now() - madeAt > DAY) rmSync(path, { recursive: true, force: true })
  }
}
