import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import type { Move } from '../src/shared/api/move'
import { temporaryFolder } from './support/app'
import { silentMp3 } from './support/builders'
import { startExecutable } from './support/executable'
import { keyOfAlice, startOtherCastellan } from './support/other-castellan'
import { until } from './support/programs'

/** More than is noted at a time. */
const SIZE = 20_000_000
const HELD_BACK = 2_000_000

type Server = Awaited<ReturnType<typeof startExecutable>>

/** Passes calls on; the first file stops shortly before its end until the other side is gone. */
function startStalling(address: string) {
  const ranges: (string | null)[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const { headers } = request
      const answer = await fetch(address + pathname + search, { headers, decompress: false })
      if (!pathname.startsWith('/media/')) return answer
      ranges.push(headers.get('range'))
      if (ranges.length > 1) return answer
      const body = await answer.bytes()
      const stalled = new ReadableStream({
        start: controller => controller.enqueue(body.subarray(0, body.length - HELD_BACK)),
      })
      return new Response(stalled, { headers: answer.headers })
    },
  })
  return { origin: server.url.origin, ranges, [Symbol.dispose]: () => void server.stop(true) }
}

test('a file of another Castellan that was half fetched when the server was killed continues, and all of it is undone', async () => {
  const sound = new Uint8Array(SIZE)
  sound.set(silentMp3(20))
  await using other = await startOtherCastellan(sound)
  using stalling = startStalling(other.address)
  const folder = temporaryFolder()
  const env = { DATA_DIRECTORY: folder, DISK_RESERVE: '0' }
  const reach = async (running: Server, id: string, state: Move['state']) =>
    until(`the move is ${state}`, async () => (await running.api<Move>(`/moves/${id}`)).state === state)

  const first = await startExecutable(env)
  const server = { address: stalling.origin, user: 'alice', password: keyOfAlice }
  const { id } = await first.api<Move>('/moves', { server })
  await reach(first, id, 'ready')
  const options = { withPeople: false, fetchFiles: true, files: null }
  await fetch(`${first.origin}/api/v1/moves/${id}/options`, {
    method: 'PUT',
    body: JSON.stringify(options),
    headers: { 'Content-Type': 'application/json' },
  })
  await reach(first, id, 'ready')
  await first.api(`/moves/${id}/begin`, {})
  const note = join(folder, 'moving', id, 'files', 'part.json')
  await until('half of a file is noted', () => existsSync(note) && /"synced":1\d{7}/.test(readFileSync(note, 'utf8')))
  first.process.kill('SIGKILL')
  await first.process.exited
  // The password is on the disk only as the server has sealed it.
  for (const name of readdirSync(folder).filter(name => name.startsWith('castellan.db')))
    expect(readFileSync(join(folder, name)).includes(keyOfAlice)).toBe(false)

  await using second = await startExecutable(env)
  await reach(second, id, 'done')
  expect(stalling.ranges).toEqual([null, expect.stringMatching(/^bytes=1\d{7}-$/), null])
  const media = () =>
    readdirSync(join(folder, 'podcasts'), { recursive: true })
      .map(name => join(folder, 'podcasts', String(name)))
      .filter(path => path.endsWith('.mp3'))
  expect(media()).toHaveLength(2)
  for (const path of media()) expect(Bun.hash(readFileSync(path))).toBe(Bun.hash(sound))
  expect(readdirSync(join(folder, 'moving'))).toEqual([])
  await second.api(`/moves/${id}/undo`, {})
  await reach(second, id, 'undone')
  await until('the files are gone', () => media().length === 0)
}, 240_000)
