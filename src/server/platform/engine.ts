import { dlopen, FFIType, ptr } from 'bun:ffi'
import { edenGC, noFTL } from 'bun:jsc'
import { readFileSync } from 'node:fs'

const COLLECT_EVERY = 2 * 1024 * 1024
const HUGE = 256 * 1024
/**
 * Collecting only the youngest objects takes a fraction of the time, but leaves those that survived an earlier
 * collection.
 */
const FULL_EVERY = 4

let bytesRead = 0
/** Bytes read since `collectGarbage` was last called. */
let bytesNoted = 0
let collections = 0

/** Notes that texts were read whose garbage can't be collected yet: the next `collectGarbage` counts them. */
export function noteGarbage(bytes: number) {
  bytesNoted += bytes
}

/**
 * Collects garbage after every few megabytes of texts, and at once after large ones. Reading leaves a dozen times its
 * size as garbage, and the engine would let it pile up, since it sizes its heap by the machine's memory.
 */
export function collectGarbage(newBytes = 0) {
  const bytes = newBytes + bytesNoted
  bytesNoted = 0
  bytesRead += bytes > HUGE ? COLLECT_EVERY : bytes
  if (bytesRead < COLLECT_EVERY) return
  bytesRead = 0
  collections++
  if (bytes >= COLLECT_EVERY || collections % FULL_EVERY === 0) Bun.gc(true)
  else edenGC()
}

// Why: docs/internals/decisions/0001

/**
 * Keeps functions that mostly call others out of the engine's last compiler. It would put dozens of functions into one,
 * and compiling that takes ten to twenty megabytes for up to half a second; what they call is compiled on its own.
 */
export function keepSmall(...functions: ((...args: never[]) => unknown)[]) {
  for (const one of functions) noFTL(one)
}

/** Reads how much memory a process has for itself, in bytes; null if the system does not say. */
export function ownMemoryOf(pid: number): number | null {
  if (process.platform === 'darwin') return footprintOf(pid)
  return inStatus(pid, /^RssAnon:\s+(\d+) kB/m)
}

/** Reads how many bytes of addresses this process has; null if the system does not say. */
export const ownAddresses = () => inStatus('self', /^VmSize:\s+(\d+) kB/m)

function inStatus(process: number | 'self', line: RegExp): number | null {
  try {
    return Number(line.exec(readFileSync(`/proc/${process}/status`, 'utf8'))![1]) * 1024
  } catch {
    return null
  }
}

/** Place of `ri_phys_footprint` in `rusage_info_v0`, which has 96 bytes. */
const FOOTPRINT = 72

/** On macOS: the number that its Activity Monitor shows. */
function footprintOf(pid: number): number | null {
  const { proc_pid_rusage } = libproc().symbols
  const usage = new DataView(new ArrayBuffer(96))
  return proc_pid_rusage(pid, 0, ptr(usage)) === 0 ? Number(usage.getBigUint64(FOOTPRINT, true)) : null
}

const rusage = { args: [FFIType.i32, FFIType.i32, FFIType.ptr], returns: FFIType.i32 } as const
const openLibproc = () => dlopen('libSystem.B.dylib', { proc_pid_rusage: rusage })
let opened: ReturnType<typeof openLibproc> | null = null
const libproc = () => (opened ??= openLibproc())
