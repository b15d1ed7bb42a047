import { dlopen, FFIType, ptr } from 'bun:ffi'
import { readFileSync } from 'node:fs'

/** Reads how much memory a process has for itself, in bytes; null where the system does not say. */
export function ownMemoryOf(pid: number): number | null {
  if (process.platform === 'darwin') return footprintOf(pid)
  return inStatus(pid, /^RssAnon:\s+(\d+) kB/m)
}

/** Reads how many bytes of addresses this process has; null where the system does not say. */
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

/** On macOS, whose activity monitor shows this number. */
function footprintOf(pid: number): number | null {
  const { proc_pid_rusage } = libproc().symbols
  const usage = new DataView(new ArrayBuffer(96))
  return proc_pid_rusage(pid, 0, ptr(usage)) === 0 ? Number(usage.getBigUint64(FOOTPRINT, true)) : null
}

const rusage = { args: [FFIType.i32, FFIType.i32, FFIType.ptr], returns: FFIType.i32 } as const
const openLibproc = () => dlopen('libSystem.B.dylib', { proc_pid_rusage: rusage })
let opened: ReturnType<typeof openLibproc> | null = null
const libproc = () => (opened ??= openLibproc())
