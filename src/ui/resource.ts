import { batch, computed, signal, type ReadonlySignal } from '@preact/signals-core'
import { ApiError } from './api/client'

/** Fetches the data of a resource. `signal` aborts when another load begins or the resource is cancelled. */
export type Load<T, Args extends readonly unknown[]> = (signal: AbortSignal, ...args: Args) => Promise<T>

type Resource<T, Args extends readonly unknown[] = []> = {
  /** The last response; null until the first one. A failed load leaves it unchanged. */
  data: ReadonlySignal<T | null>
  /** The failure of the last load; null after a success. */
  error: ReadonlySignal<unknown>
  /** True from the call of `load`, debounce included, until the response. */
  isLoading: ReadonlySignal<boolean>
  /** Whether `data` belongs to an earlier load: the last one is running or has failed. */
  isStale: ReadonlySignal<boolean>
  /** Fetches, and overtakes a running load. Never throws: a failure is in `error`. */
  load: (...args: Args) => Promise<void>
  /** Repeats the last load at once. */
  retry: () => Promise<void>
  /** Replaces the data and clears the error. A running load is older, so it is cancelled. */
  set: (data: T | null) => void
  /** Edits the data, if any, and lets a running load finish. */
  change: (edit: (data: T) => T) => void
  /** Cancels the running load; data and error stay. */
  cancel: () => void
}

type Options = {
  /** Loads only after this time without another call: for text that a person types. */
  debounceMs?: number
  /** The timer of the debounce; returns the function that cancels it. */
  later?: (work: () => void, ms: number) => () => void
}

/** Data of the server and the state of loading it. The response to an overtaken load is dropped. */
export function createResource<T, Args extends readonly unknown[] = []>(
  fetch: Load<T, Args>,
  { debounceMs = 0, later = afterTimeout }: Options = {},
): Resource<T, Args> {
  const data = signal<T | null>(null)
  const error = signal<unknown>(null)
  const isLoading = signal(false)
  let running: AbortController | null = null
  let lastArgs: Args | null = null

  async function run(args: Args, waitMs: number) {
    running?.abort()
    const mine = new AbortController()
    running = mine
    lastArgs = args
    isLoading.value = true
    const settle = (write: () => void) => {
      if (mine.signal.aborted) return
      batch(() => {
        write()
        isLoading.value = false
      })
    }
    try {
      if (waitMs > 0) await pause(waitMs, mine.signal, later)
      // With older data the error stays until the answer: a page that polls would blink.
      if (data.peek() === null) error.value = null
      const answer = await fetch(mine.signal, ...args)
      settle(() => {
        data.value = answer
        error.value = null
      })
    } catch (failure) {
      settle(() => (error.value = failure))
      // Nobody has to press "Try again" once the server is there again.
      if (failure instanceof ApiError)
        void failure.whenReached?.then(() => {
          if (!mine.signal.aborted && error.peek() === failure) void run(args, 0)
        })
    }
  }
  function cancel() {
    running?.abort()
    isLoading.value = false
  }
  return {
    data,
    error,
    isLoading,
    isStale: computed(() => data.value !== null && (isLoading.value || error.value !== null)),
    load: (...args) => run(args, debounceMs),
    retry: async () => {
      if (lastArgs) await run(lastArgs, 0)
    },
    set(next) {
      cancel()
      batch(() => {
        data.value = next
        error.value = null
      })
    },
    change(edit) {
      const shown = data.peek()
      if (shown !== null) data.value = edit(shown)
    },
    cancel,
  }
}

/** Waits. Rejects as soon as the signal aborts, so that an unwanted load never begins. */
function pause(ms: number, signal: AbortSignal, later: NonNullable<Options['later']>): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = later(resolve, ms)
    signal.addEventListener('abort', () => {
      end()
      reject(signal.reason as Error)
    })
  })
}

function afterTimeout(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}
