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
 * One core, and 512 MB where a control group can be made: about what a small board has to give. Each name has its own.
 */
export function smallBoard(name = 'server'): Budget & { dispose: () => void } {
  const wrap = Bun.which('taskset') ? ['taskset', '-c', '0'] : []
  const isOld = existsSync(`${old}/memory.limit_in_bytes`)
  const group = `${isOld ? old : unified}/castellan-bench-${process.pid}-${name}`
  try {
    mkdirSync(group)
    writeFileSync(`${group}/${isOld ? 'memory.limit_in_bytes' : 'memory.max'}`, String(LIMIT))
    return {
      name: 'one core, 512 MB',
      wrap,
      confine: pid => writeFileSync(`${group}/cgroup.procs`, String(pid)),
      dispose: () => rmdirSync(group),
    }
  } catch {
    return { name: 'one core, memory not limited', wrap, confine: () => {}, dispose: () => {} }
  }
}
