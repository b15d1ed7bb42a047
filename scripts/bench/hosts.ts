import { join } from 'node:path'

/** The hosts of the feeds, in a process of their own; gone when `run` is done. Others reach them by `name`. */
export async function withHosts(run: (origins: readonly string[]) => Promise<void>, name = '127.0.0.1') {
  const hosts = Bun.spawn(['bun', join(import.meta.dir, 'host.ts'), name], { stdout: 'pipe' })
  const line = new TextDecoder().decode((await hosts.stdout.getReader().read()).value)
  try {
    await run(/origins=(\S+)/.exec(line)![1]!.split(','))
  } finally {
    hosts.kill()
    await hosts.exited
  }
}
