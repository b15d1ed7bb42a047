import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import type { SetAsideItem } from '../src/shared/api/job'
import { temporaryFolder } from './support/app'
import { begunCases, call, type World } from './support/begun-cases'
import { executable, runExecutable, startExecutable } from './support/executable'
import { startFeedHost } from './support/feed-host'

test.each(begunCases)(
  'what kills the server twice is set aside, named, and tried again: $name',
  async ({ kind, prepare, begin, makeDue, label, env: more }) => {
    using host = startFeedHost()
    host.on('/v1/audio/transcriptions', hangs)
    const folder = temporaryFolder()
    const path = join(folder, 'castellan.db')
    const env = { DATA_DIRECTORY: folder, DISK_RESERVE: '0', TRANSCRIPTION_URL: `${host.origin}/v1`, ...more }
    const databases: Database[] = []
    const worldOf = (running: World['running']): World => ({
      host,
      running,
      database() {
        databases[0] ??= new Database(path, { readonly: true })
        return databases[0]
      },
    })
    const becomeDue = () => {
      using db = new Database(path)
      makeDue?.(db)
      // The watcher of the next process looks for what that one begins.
      db.run('UPDATE begun_work SET begun_at = 0')
    }
    async function runUntilKilled(act?: (world: World) => Promise<unknown>) {
      const watcher = Bun.spawn([process.execPath, join(import.meta.dir, 'support/watcher.ts'), path, kind], {
        stdin: 'pipe',
        stdout: 'pipe',
        stderr: 'inherit',
      })
      await watcher.stdout.getReader().read()
      const watch = (pid: number) => {
        watcher.stdin.write(`${pid}\n`)
        watcher.stdin.end()
      }
      // It may be killed before it listens. The watcher goes first where the processors are busy, so that it sees work
      // that takes a moment.
      const running = await startExecutable(env, ['nice', '-n', '10', executable], watch).catch(() => null)
      const acted = running && act?.(worldOf(running)).catch(() => undefined)
      await watcher.exited
      await running?.process.exited
      await acted
      becomeDue()
    }

    if (prepare) {
      const running = await startExecutable(env)
      await prepare(worldOf(running))
      running.process.kill('SIGKILL')
      await running.process.exited
      becomeDue()
    }
    await runUntilKilled(begin)
    await runUntilKilled()

    await using third = await startExecutable(env)
    expect((await fetch(`${third.origin}/readyz`)).status).toBe(200)
    // Others that were under way are no less suspect.
    const listed = async () => (await third.api<SetAsideItem[]>('/set-aside')).filter(item => item.kind === kind)
    const [item] = await listed()
    expect(item!.label).toContain(label)
    const { stdout } = await runExecutable(['doctor'], env)
    const named = stdout.split('\n').filter(line => line.includes('set aside, since the server stopped twice while'))
    expect(named.join('\n')).toContain(item!.label)

    await call({ running: third }, 'POST', '/set-aside/retry', { kind, key: item!.key })
    expect(await listed()).toEqual([])
    for (const db of databases) db.close()
  },
  240_000,
)

const hangs = () => new Promise<Response>(() => {})
