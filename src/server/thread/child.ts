import { SECOND } from '../platform/clock'
import { ownMemoryOf } from '../platform/engine'
import type { Answer, Message, TaskTable } from '.'

/** The process of a child ended before its task did. Running the task again would end the same way. */
export class ChildFailed extends Error {
  override name = 'ChildFailed'
  constructor(
    /** It took more memory or time than it may, or crashed. `ended`: the child was no longer wanted. */
    readonly reason: 'memory' | 'time' | 'crash' | 'ended',
    /** For `memory` and `time`: how much, as in "more than 512 MB of memory". */
    message: string,
  ) {
    super(message)
  }
}

type ChildOptions = {
  command: readonly string[]
  /** The only environment variables that the process gets. */
  env: Record<string, string>
  /** The working folder. */
  folder: string
  /** Passed to the process before its first task. */
  setup: unknown
  /** Bytes that the process may keep in memory. */
  memoryBytes: number
  /** Time that all its tasks may take together. */
  timeMs: number
  /** Ends the process. */
  signal: AbortSignal
}

/**
 * A process for work that may crash it: a hostile file then costs only this process. It runs one task at a time. Each
 * task rejects with `ChildFailed` or its own error.
 */
export type Child<T extends TaskTable> = {
  pid: number
  run<N extends keyof T & string>(task: N, request: T[N]['request']): Promise<T[N]['result']>
  /** Ends the process at once, whatever it is doing; resolves when it has ended. */
  end(): Promise<void>
}

const WATCH_EVERY_MS = 50
const MEGABYTE = 1024 * 1024

/** Starts the process; it runs `serveParent`. */
export function createChild<T extends TaskTable>(options: ChildOptions): Child<T> {
  const { command, env, folder, setup, memoryBytes, signal } = options
  let leftMs = options.timeMs
  let failure: ChildFailed | null = null
  let running: { id: number; resolve: (result: never) => void; reject: (error: Error) => void } | null = null
  let lastId = 0

  const fail = (error: ChildFailed) => {
    failure ??= error
    running?.reject(failure)
    running = null
    child.kill('SIGKILL')
  }
  const end = () => {
    fail(new ChildFailed('ended', 'No longer wanted'))
    signal.removeEventListener('abort', end)
    return child.exited.then(() => {})
  }
  const child = Bun.spawn([...command], {
    env,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore'],
    serialization: 'advanced',
    ipc: (answer: Answer) => settle(answer),
    onExit: ({ exitCode, signalCode }) => {
      // Besides us, only the kernel kills it, when the machine or the container is short of memory.
      if (signalCode === 'SIGKILL') fail(new ChildFailed('memory', 'more memory than there is'))
      else fail(new ChildFailed('crash', `The process ended with ${signalCode ?? exitCode}`))
    },
  })
  child.unref()
  send({ setup })
  if (signal.aborted) void end()
  else signal.addEventListener('abort', end)

  function send(message: Message) {
    try {
      child.send(message)
    } catch {
      fail(new ChildFailed('crash', 'The process is gone'))
    }
  }
  function settle(answer: Answer) {
    if (answer.id !== running?.id) return
    const { resolve, reject } = running
    running = null
    if ('result' in answer) resolve(answer.result as never)
    else reject(new Error(answer.bug))
  }
  function watch() {
    const bytes = ownMemoryOf(child.pid) ?? 0
    if (bytes > memoryBytes)
      fail(new ChildFailed('memory', `more than ${Math.ceil(memoryBytes / MEGABYTE)} MB of memory`))
  }

  return {
    pid: child.pid,
    async run(task, request) {
      if (failure) throw failure
      const id = ++lastId
      const startedAt = performance.now()
      const deadline = setTimeout(
        () => fail(new ChildFailed('time', `more than ${Math.ceil(options.timeMs / SECOND)} seconds`)),
        Math.max(0, leftMs),
      )
      const watcher = setInterval(watch, WATCH_EVERY_MS)
      try {
        return await new Promise<T[typeof task]['result']>((resolve, reject) => {
          running = { id, resolve, reject }
          send({ id, task, request })
        })
      } finally {
        clearTimeout(deadline)
        clearInterval(watcher)
        leftMs -= performance.now() - startedAt
      }
    },
    end,
  }
}
