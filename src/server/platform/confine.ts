import { dlopen, FFIType, ptr } from 'bun:ffi'
import { writeFileSync } from 'node:fs'
import { ownAddresses } from './engine'

/** A limit that the system keeps: no more memory, no more processor time, no network and no other program. */
export type Wall = 'memory' | 'time' | 'network' | 'parent'

const RLIMIT_CPU = 0
const RLIMIT_CORE = 4
/** On Linux; macOS has none. */
const RLIMIT_AS = 9
const PR_SET_PDEATHSIG = 1
const PR_SET_NO_NEW_PRIVS = 38
const SIGKILL = 9

/**
 * Limits this process permanently, before it opens what others made: it gets `memoryBytes` of addresses beyond those
 * that it has, `seconds` of processor time and no core dump; it can neither reach a network nor start a program; the
 * kernel kills it first when memory is short, and also when its parent dies. Returns the walls that this system has.
 */
export function confine({ memoryBytes, seconds }: { memoryBytes: number; seconds: number }): Wall[] {
  const libc = openLibc()
  if (!libc) return []
  const { setrlimit, prctl, syscall } = libc.symbols
  const limit = (resource: number, value: number) => {
    const both = new BigUint64Array(2).fill(BigInt(Math.ceil(value)))
    return setrlimit(resource, ptr(both)) === 0
  }
  limit(RLIMIT_CORE, 0)
  const walls: Wall[] = limit(RLIMIT_CPU, seconds) ? ['time'] : []
  if (process.platform !== 'linux') return walls
  // The engine has reserved gigabytes, most of which it never touches.
  const reserved = ownAddresses()
  if (reserved && limit(RLIMIT_AS, reserved + memoryBytes)) walls.push('memory')
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) === 0) walls.push('parent')
  preferAsVictim()
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) === 0 && forbidCalls(syscall)) walls.push('network')
  return walls
}

/** Lets the kernel kill this process rather than the server. */
function preferAsVictim() {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Without /proc this can't be chosen.
  }
}

const { i32, i64, ptr: pointer } = FFIType
const symbols = {
  setrlimit: { args: [i32, pointer], returns: i32 },
  prctl: { args: [i32, i64, i64, i64, i64], returns: i32 },
  syscall: { args: [i64, i64, i64, pointer], returns: i64 },
} as const

type Libc = ReturnType<typeof dlopen<typeof symbols>>

/** Opens the C library of glibc, musl or macOS; null if there is none of these. */
function openLibc(): Libc | null {
  const { setrlimit } = symbols
  if (process.platform === 'darwin') return dlopen('libSystem.B.dylib', { setrlimit } as typeof symbols)
  if (process.platform !== 'linux') return null
  const musl = process.arch === 'arm64' ? 'libc.musl-aarch64.so.1' : 'libc.musl-x86_64.so.1'
  for (const name of ['libc.so.6', musl])
    try {
      return dlopen(name, symbols)
    } catch {
      // The other C library is in use.
    }
  return null
}

/**
 * System calls that are refused with EPERM: socket, connect, accept, bind, listen, accept4, execve, execveat, ptrace,
 * process_vm_readv, process_vm_writev, kill, pidfd_send_signal, io_uring_setup.
 */
const machines = {
  x64: { audit: 0xc000003e, seccomp: 317, calls: [41, 42, 43, 49, 50, 288, 59, 322, 101, 310, 311, 62, 424, 425] },
  arm64: {
    audit: 0xc00000b7,
    seccomp: 277,
    calls: [198, 203, 202, 200, 201, 242, 221, 281, 117, 270, 271, 129, 424, 425],
  },
}

const SET_MODE_FILTER = 1
/** The filter holds for every thread of the process. */
const FLAG_TSYNC = 1
/** System calls of another ABI (x32) have numbers from here on. */
const X32 = 0x40000000
const LOAD = 0x20
const IS_EQUAL = 0x15
const IS_AT_LEAST = 0x35
const RETURN = 0x06
const ALLOW = 0x7fff0000
const REFUSE = 0x00050001

/** Sets a seccomp filter: https://docs.kernel.org/userspace-api/seccomp_filter.html. Returns whether it is set. */
function forbidCalls(syscall: Libc['symbols']['syscall']): boolean {
  const machine = machines[process.arch as keyof typeof machines]
  if (!machine) return false
  const refusedIf = (test: number, value: number) => [
    [test, 0, 1, value],
    [RETURN, 0, 0, REFUSE],
  ]
  const program = [
    [LOAD, 0, 0, 4],
    [IS_EQUAL, 1, 0, machine.audit],
    [RETURN, 0, 0, REFUSE],
    [LOAD, 0, 0, 0],
    ...refusedIf(IS_AT_LEAST, X32),
    ...machine.calls.flatMap(call => refusedIf(IS_EQUAL, call)),
    [RETURN, 0, 0, ALLOW],
  ] as [code: number, isTrue: number, isFalse: number, value: number][]
  const filter = new DataView(new ArrayBuffer(program.length * 8))
  for (const [index, [code, isTrue, isFalse, value]] of program.entries()) {
    filter.setUint16(index * 8, code, true)
    filter.setUint8(index * 8 + 2, isTrue)
    filter.setUint8(index * 8 + 3, isFalse)
    filter.setUint32(index * 8 + 4, value, true)
  }
  const described = new DataView(new ArrayBuffer(16))
  described.setUint16(0, program.length, true)
  described.setBigUint64(8, BigInt(ptr(filter)), true)
  return Number(syscall(machine.seccomp, SET_MODE_FILTER, FLAG_TSYNC, ptr(described))) === 0
}
