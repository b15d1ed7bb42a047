import { readFileSync } from 'node:fs'

/**
 * Reads, in bytes, how many addresses a process has, and how much memory is its own rather than that of files. Null
 * where the system does not say: only Linux does.
 */
export function memoryOf(process: number | 'self'): { addresses: number; own: number } | null {
  try {
    const status = readFileSync(`/proc/${process}/status`, 'utf8')
    const [addresses, own] = [/^VmSize:\s+(\d+) kB/m, /^RssAnon:\s+(\d+) kB/m].map(
      line => Number(line.exec(status)![1]) * 1024,
    )
    return { addresses: addresses!, own: own! }
  } catch {
    return null
  }
}
