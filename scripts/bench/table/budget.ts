import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'

/** The share of this machine that a server may use. */
export type Budget = {
  name: string
  /** The command that limits it, put before its own. */
  wrap: readonly string[]
  /** Once it runs. */
  confine: (pid: number) => void
}

const LIMIT = 512 * 1024 * 1024
const old = '/sys/fs/cgroup/memory'
const unified = '/sys/fs/cgroup'

export const wholeMachine: Budget = { name: 'all cores', wrap: [], confine: () => {} }

/**
 * One core and 512 MB with its disk cache, about what a small board has to give: by a control group, where one can be
 * made, else by systemd. `prlimit` would limit addresses, of which the runtime reserves many gigabytes, so without
 * either the memory is not limited, and the name says so. Each name has its own.
 */
export function smallBoard(name = 'server'): Budget & { dispose: () => void } {
  const core = Bun.which('taskset') ? ['taskset', '-c', '0'] : []
  const limited = { name: 'one core, 512 MB', wrap: core, confine: () => {}, dispose: () => {} }
  const isOld = existsSync(`${old}/memory.limit_in_bytes`)
  const group = `${isOld ? old : unified}/castellan-bench-${process.pid}-${name}`
  try {
    mkdirSync(group)
    writeFileSync(`${group}/${isOld ? 'memory.limit_in_bytes' : 'memory.max'}`, String(LIMIT))
    return {
      ...limited,
      confine: pid => writeFileSync(`${group}/cgroup.procs`, String(pid)),
      dispose: () => rmdirSync(group),
    }
  } catch {
    const scope = ['systemd-run', '--scope', '--quiet', `--property=MemoryMax=${LIMIT}`, '--property=MemorySwapMax=0']
    for (const command of [scope, [...scope, '--user']])
      if (Bun.which('systemd-run') && Bun.spawnSync([...command, 'true']).success)
        return { ...limited, wrap: [...command, ...core] }
    return { ...limited, name: 'one core, memory not limited' }
  }
}
