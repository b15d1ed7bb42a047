import { join } from 'node:path'

/** The hosts of the feeds, in a process of their own; gone when `run` is done. */
export async function withHosts(run: (origins: readonly string[]) => Promise<void>) {
  const hosts = Bun.spawn(['bun', join(import.meta.dir, 'host.ts')], { stdout: 'pipe' })
  const line = new TextDecoder().decode((await hosts.stdout.getReader().read()).value)
  try {
    await run(/origins=(\S+)/.exec(line)![1]!.split(','))
  } finally {
    hosts.kill()
    await hosts.exited
  }
}
