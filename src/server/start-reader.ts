import { mkdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ReaderLimits, StartReader } from './moving/needs'
import type { MoveTasks } from './moving/tasks'
import { MINUTE, SECOND } from './platform/clock'
import type { confine } from './platform/confine'
import { createChild } from './thread/child'

// Why: docs/internals/decisions/0058

export type ReaderSetup = Parameters<typeof confine>[0]

/** The hidden argument with which the executable is a reader; `entry.ts` knows it. */
export const READER = 'read-foreign-files'

const MEGABYTE = 1024 * 1024

/** Half a gigabyte, or a quarter of a small machine or container: three files are read at a time. */
const memoryBytes = Math.min(512 * MEGABYTE, Math.max(128 * MEGABYTE, Math.floor(process.constrainedMemory() / 4)))

/** Time for a file: its bytes are read several times, on a slow disk. */
const timeFor = (bytes: number) => 2 * MINUTE + (bytes / (256 * 1024)) * SECOND

/**
 * Returns what starts processes that read files of other people, one for each file. They know nothing of the
 * environment, and keep their temporary files in `folder`.
 */
export const createStartReader =
  (folder: string, limits: Partial<ReaderLimits> = {}): StartReader =>
  async (path, signal) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const bytes = (await stat(path).catch(() => null))?.size ?? 0
    const { memoryBytes: most, timeMs } = { memoryBytes, timeMs: timeFor(bytes), ...limits }
    return createChild<MoveTasks>({
      command: Bun.isStandaloneExecutable ? [process.execPath, READER] : [process.execPath, fileURLToPath(reader)],
      env: {
        SQLITE_TMPDIR: folder,
        TMPDIR: folder,
        // Windows can't start a process without it.
        ...(process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {}),
      },
      folder,
      // Several threads of the engine collect garbage.
      setup: { memoryBytes: most, seconds: (4 * timeMs) / SECOND } satisfies ReaderSetup,
      memoryBytes: most,
      timeMs,
      signal,
    })
  }

const reader = new URL('./reader.ts', import.meta.url)
