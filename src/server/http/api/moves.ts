import { t } from 'elysia'
import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { Move, type MoveCount, MoveOptions, MovePodcast, MoveSource, NewMove } from '../../../shared/api/move'
import type { Context } from '../../context'
import { type FileOptions, serverNames } from '../../moving/needs'
import { sources } from '../../moving/sources'
import { invalidField, Problem } from '../../platform/problem'
import { type MoveCountRow, type MoveRow, readFailure } from '../../store/moves'
import type { UserRow } from '../../store/users'
import type { SignedInRoutes } from '../core/signed-in'
import { fetchedFiles, filesOf } from '../../moving/other-server'
import { kinds } from '../../moving/item'
import type { Store } from '../../store'
import type { UndoCountRow } from '../../store/move-undo'
import { writeInstant, writeInstantOrNull } from '../core/instants'

/** Moves from other programs: uploading the file, rehearsing, starting, and the report. */
export function moves(routes: SignedInRoutes, app: Context) {
  const { store, moves } = app
  const find = (user: UserRow, id: string) => store.moves.require(user, id)
  const present = (move: MoveRow) => presentMove(app, move)
  routes
    .get('/api/v1/moves', ({ user }) => store.moves.listFor(user.id).map(present), { response: t.Array(Move) })
    .get(
      '/api/v1/moves/sources',
      () => sources.filter(({ isFile }) => isFile).map(({ name, title }) => ({ name, title })),
      {
        response: t.Array(MoveSource),
      },
    )
    .post(
      '/api/v1/moves',
      async ({ user, body, set }) => {
        set.status = 201
        return present(await arrive(app, user, body))
      },
      { body: NewMove, response: { 201: Move } },
    )
    .get('/api/v1/moves/:id', ({ user, params }) => present(find(user, params.id)), { response: Move })
    .get('/api/v1/moves/:id/podcasts', ({ user, params }) => presentMovePodcasts(store, find(user, params.id)), {
      response: t.Array(MovePodcast),
    })
    .put(
      '/api/v1/moves/:id/file',
      ({ user, params, query, body }) => {
        const move = find(user, params.id)
        if (!(body instanceof Uint8Array)) throw invalidField('body', 'bytes, as application/octet-stream')
        return present(moves.append(move, query.offset, body))
      },
      { query: t.Object({ offset: t.Integer({ minimum: 0, default: 0 }) }), response: Move },
    )
    .put(
      '/api/v1/moves/:id/options',
      ({ user, params, body, set }) => {
        moves.choose(find(user, params.id), { withUsers: body.withPeople, files: filesWanted(body) })
        set.status = 202
        return present(find(user, params.id))
      },
      { role: 'admin', body: MoveOptions, response: { 202: Move } },
    )
    .post(
      '/api/v1/moves/:id/begin',
      ({ user, params, set }) => {
        const move = find(user, params.id)
        moves.begin(move)
        moves.resume()
        set.status = 202
        return present(find(user, params.id))
      },
      { response: { 202: Move } },
    )
    .post(
      '/api/v1/moves/:id/retry',
      ({ user, params, set }) => {
        const move = find(user, params.id)
        app.begun.tryAgain({ kind: 'move', key: move.uuid })
        moves.resume()
        set.status = 202
        return present(find(user, params.id))
      },
      { response: { 202: Move } },
    )
    .post(
      '/api/v1/moves/:id/undo',
      ({ user, params, set }) => {
        moves.undo(user, find(user, params.id).id)
        moves.resume()
        set.status = 202
        return present(find(user, params.id))
      },
      { response: { 202: Move } },
    )
    .delete('/api/v1/moves/:id', ({ user, params, set }) => {
      moves.drop(find(user, params.id))
      set.status = 204
    })
}

/** Reads where the files are: on the other Castellan, or in a folder on this server. Throws `invalid-field`. */
function filesWanted({ fetchFiles = false, files }: MoveOptions): FileOptions | null {
  if (fetchFiles) return fetchedFiles
  if (files === null) return null
  const isFolder = isAbsolute(files.here) && statSync(files.here, { throwIfNoEntry: false })?.isDirectory()
  if (!isFolder) throw invalidField('files.here', 'an absolute path of a folder on the server')
  return { folders: [{ from: files.there, to: files.here }], way: 'link' }
}

function arrive({ moves }: Context, user: UserRow, { name, bytes, path, ...more }: NewMove) {
  const from = more.from ?? null
  const requireKnown = (names: readonly string[]) => {
    if (from !== null && !names.includes(from)) throw invalidField('from', `one of ${names.join(', ')}`)
  }
  if (path === undefined && name === undefined && more.server) {
    requireKnown(serverNames)
    return moves.bringFromServer(user, { ...more.server, from })
  }
  requireKnown(sources.map(({ name }) => name))
  if (path !== undefined) {
    if (user.role !== 'admin') throw new Problem('not-admin', 'Only an admin may name a file on the server')
    if (!isAbsolute(path)) throw invalidField('path', 'an absolute path')
    return moves.bring(user, path, from)
  }
  if (name === undefined || bytes === undefined) throw invalidField('path', 'a path, a server, or name and bytes')
  return moves.receive(user, { name, bytes, from })
}

function presentMove({ store, moves, begun }: Pick<Context, 'store' | 'moves' | 'begun'>, move: MoveRow): Move {
  const { total, waiting } = store.moves.podcastTotals(move.id)
  return {
    id: move.uuid,
    state: move.state,
    source: sources.find(({ name }) => name === move.source)?.title ?? null,
    file: move.file_name,
    bytes: move.bytes,
    received: move.state === 'receiving' ? moves.received(move) : (move.bytes ?? 0),
    startedAt: writeInstant(move.started_at),
    finishedAt: writeInstantOrNull(move.finished_at),
    begun: move.begun === 1,
    setAside: begun.isSetAside('move', move.uuid),
    message: move.message,
    errorCode: move.error_code,
    arguments: readFailure(move)?.args ?? {},
    podcasts: { total, done: total - waiting },
    items: { total: move.items, applied: move.applied },
    options: presentOptions(move),
    sendsFiles: move.server !== null,
    counts: presentCounts(store.moves.totalsByKind(move.id)),
    undoableUntil: writeInstantOrNull(moves.undoableUntil(move)),
    undone: presentUndone(store.moves.undoCountsOf(move.id)),
  }
}

function presentOptions(move: MoveRow): MoveOptions {
  const files = filesOf(move)
  const folder = files?.way === 'fetched' ? undefined : files?.folders[0]
  const fetchFiles = files?.way === 'fetched'
  return {
    withPeople: move.with_users === 1,
    fetchFiles,
    files: folder ? { there: folder.from, here: folder.to } : null,
  }
}

function presentUndone(rows: readonly UndoCountRow[]): Move['undone'] {
  const sum = (own: readonly UndoCountRow[]) => own.reduce((total, row) => total + row.total, 0)
  return kinds.flatMap(kind => {
    const own = rows.filter(row => row.kind === kind)
    const kept = sum(own.filter(({ outcome }) => outcome === 'kept'))
    return own.length > 0 ? [{ kind, undone: sum(own) - kept, kept }] : []
  })
}

/** Groups the outcomes by kind, in the order in which people want to read them. */
function presentCounts(rows: readonly Omit<MoveCountRow, 'feed_url'>[]): MoveCount[] {
  return kinds.flatMap(kind => {
    const own = rows.filter(row => row.kind === kind)
    const sum = (outcome: MoveCountRow['outcome']) =>
      own.filter(row => row.outcome === outcome).reduce((total, row) => total + row.total, 0)
    const reasons = own.filter(({ reason }) => reason !== '').map(({ reason, total }) => ({ reason, total }))
    const count = { kind, taken: sum('taken'), present: sum('present'), leftOut: sum('left-out'), reasons }
    return own.length > 0 ? [count] : []
  })
}

function presentMovePodcasts(store: Store, move: MoveRow): MovePodcast[] {
  const totals = Map.groupBy(store.moves.totalsByFeed(move.id), ({ feed_url }) => feed_url)
  return store.moves.reportOf(move.id).map(row => {
    const of = (outcome: MoveCountRow['outcome']) =>
      totals.get(row.feed_url)?.find(total => total.outcome === outcome)?.total ?? 0
    const { feed_url: feedUrl, own_title, title, state, error_code: errorCode, message } = row
    return {
      feedUrl,
      title: row.here ?? own_title ?? title,
      state,
      podcastId: row.uuid,
      errorCode,
      arguments: readFailure(row)?.args ?? {},
      message,
      taken: of('taken'),
      present: of('present'),
      leftOut: of('left-out'),
    }
  })
}
