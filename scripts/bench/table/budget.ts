import { existsSync, mkdirSync, readFileSync, realpathSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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

/** The least that a memory card of class 10 and A1 does, in bytes and requests a second. */
const card = { rbps: 40_000_000, wbps: 10_000_000, riops: 1500, wiops: 500 }
const oldFiles = {
  rbps: 'throttle.read_bps_device',
  wbps: 'throttle.write_bps_device',
  riops: 'throttle.read_iops_device',
  wiops: 'throttle.write_iops_device',
}

/**
 * The same board with a disk as slow as a memory card, on which a folder is: by a control group. Where that can't be
 * made, the disk is as fast as it is, and the name says so.
 */
export function boardWithCard(folder: string, board: ReturnType<typeof smallBoard>): ReturnType<typeof smallBoard> {
  const old = '/sys/fs/cgroup/blkio'
  const isOld = existsSync(`${old}/blkio.throttle.read_bps_device`)
  const group = `${isOld ? old : unified}/castellan-bench-${process.pid}-disk`
  try {
    const disk = diskOf(folder)
    mkdirSync(group)
    const write = (file: string, limit: string) => writeFileSync(`${group}/${file}`, `${disk} ${limit}`)
    const limits = Object.entries(card) as [keyof typeof card, number][]
    if (isOld) for (const [name, limit] of limits) write(`blkio.${oldFiles[name]}`, String(limit))
    else write('io.max', limits.map(([name, limit]) => `${name}=${limit}`).join(' '))
    // A process is in one group of the newer kind: that of the disk, which then limits its memory too.
    if (!isOld) writeFileSync(`${group}/memory.max`, String(LIMIT))
    const joining = ['/bin/sh', '-c', 'echo $$ > "$0" && exec "$@"', `${group}/cgroup.procs`]
    return {
      name: `${board.name}, a memory card`,
      // From the first byte on: a start reads the executable and the database.
      wrap: [...joining, ...board.wrap],
      confine: isOld ? board.confine : () => {},
      dispose() {
        rmdirSync(group)
        board.dispose()
      },
    }
  } catch (error) {
    console.error(`The disk can't be slowed down: ${(error as Error).message}`)
    if (existsSync(group)) rmdirSync(group)
    return { ...board, name: `${board.name}, disk not slowed down` }
  }
}

/** Numbers of the disk on which a folder is, of which a partition has others. Throws if it is not on a disk. */
function diskOf(folder: string): string {
  const { dev } = statSync(folder)
  const device = realpathSync(`/sys/dev/block/${dev >> 8}:${dev & 0xff}`)
  return readFileSync(join(device, existsSync(join(device, 'partition')) ? '../dev' : 'dev'), 'utf8').trim()
}
