import { expect, test } from 'bun:test'
import { ApiError } from '../../../src/ui/api/client'
import { createMoves } from '../../../src/ui/state/moves'
import { startTestApp } from '../../support/app'

const MB = 1024 * 1024

/** Moves of a real server; `parts` notes where each part of an upload began, `fail` makes the next one fail. */
async function startMoves() {
  const app = await startTestApp()
  const parts: number[] = []
  let isBroken = false
  const api: typeof app.moves = {
    ...app.moves,
    upload(id, offset, part) {
      if (isBroken) throw new ApiError(0, 'offline', 'The server cannot be reached')
      parts.push(offset / MB)
      return app.moves.upload(id, offset, part)
    },
  }
  /** Resolves when nothing is uploaded any more, or the upload has stopped. */
  async function settle(moves: ReturnType<typeof createMoves>) {
    while (moves.upload.value && moves.upload.value.failure === null) await new Promise(setImmediate)
    await app.context.moves.settled()
  }
  return {
    app,
    parts,
    settle,
    moves: createMoves(api),
    /** Another page of the same browser: it has nothing but what the server knows. */
    openAnother: () => createMoves(api),
    break: (broken: boolean) => (isBroken = broken),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}
const file = (name = 'Database') => new File([new Uint8Array(5 * MB)], name)

test('a file is uploaded in parts', async () => {
  await using world = await startMoves()
  const { moves, settle, parts } = world
  await moves.bring(file(), null)
  await settle(moves)
  expect(parts).toEqual([0, 2, 4])
  expect(moves.upload.value).toBeNull()
  expect(moves.latest.value).toMatchObject({ file: 'Database', state: 'reading', received: 5 * MB })
})

test('an upload that fails stops, and goes on from where it was', async () => {
  await using world = await startMoves()
  const { moves, settle, parts } = world
  const bringing = moves.bring(file(), null)
  await bringing
  world.break(true)
  await settle(moves)
  expect(moves.upload.value?.failure).toMatchObject({ code: 'offline' })
  const sent = parts.length
  world.break(false)
  await moves.resume()
  await settle(moves)
  expect(parts).toEqual([0, 2, 4])
  expect(parts.length).toBeGreaterThan(sent)
  expect(moves.latest.value?.state).toBe('reading')
})

test('the same file chosen again after the page was left goes on from where it was, another one begins anew', async () => {
  await using world = await startMoves()
  const { moves, settle, parts } = world
  const { id } = await world.app.moves.start({ name: 'Database', bytes: 5 * MB })
  await world.app.moves.upload(id, 0, new Blob([new Uint8Array(3 * MB)]))
  await moves.load()
  await moves.bring(file(), null)
  await settle(moves)
  expect(parts).toEqual([3])
  expect(moves.latest.value?.id).toBe(id)

  const later = world.openAnother()
  await later.load()
  await later.bring(file('Other'), null)
  await settle(later)
  expect(parts).toEqual([3, 0, 2, 4])
  expect(later.list.value).toHaveLength(1)
})

test('an upload that is given up ends', async () => {
  await using world = await startMoves()
  const { moves, settle } = world
  await moves.bring(file(), null)
  await moves.drop(moves.upload.value!.id)
  await settle(moves)
  expect([moves.list.value, moves.upload.value]).toEqual([[], null])
})
