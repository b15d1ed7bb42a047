import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { residentMb } from '../support/measure'
import { environment } from '../chaos/server'

/** `rss` and `heap` in MB; `files` are open, sockets among them. */
export type Sample = {
  at: number
  rss: number
  heap: number
  files: number
  sockets: number
  threads: number
  timers: number
}
type Message = { origin: string } | { timers: number; heap: number }

/** The server on its fast clock; `onError` is told what it logs as an error. */
export async function startFast(folder: string, onError: (line: string) => void) {
  const waiting: ((message: Message) => void)[] = []
  const message = <T extends Message>() => new Promise<Message>(resolve => waiting.push(resolve)) as Promise<T>
  const child = Bun.spawn(['bun', join(import.meta.dir, 'server.ts')], {
    env: {
      PATH: process.env['PATH'],
      ...environment,
      DATA_DIRECTORY: folder,
      HOST: '127.0.0.1',
      POLLING_INTERVAL: '1',
      BACKUP_INTERVAL: '1',
      LOG_LEVEL: 'warn',
    },
    stdout: 'pipe',
    stderr: 'inherit',
    ipc: given => waiting.shift()?.(given as Message),
  })
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout)
      for (const line of decoder.decode(chunk).split('\n')) if (/^\S+ error /.test(line)) onError(line.slice(25))
  })()
  const { origin } = await message<{ origin: string }>()
  const inProc = (path: string) => `/proc/${child.pid}/${path}`

  function targetOf(name: string): string {
    try {
      return readlinkSync(inProc(`fd/${name}`))
    } catch {
      return ''
    }
  }

  return {
    origin,
    async sample(): Promise<Sample> {
      child.send('sample')
      const told = await message<{ timers: number; heap: number }>()
      const files = readdirSync(inProc('fd')).map(targetOf)
      return {
        at: performance.now(),
        rss: residentMb(child.pid),
        ...told,
        files: files.length,
        sockets: files.filter(target => target.startsWith('socket:')).length,
        threads: readdirSync(inProc('task')).length,
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}
