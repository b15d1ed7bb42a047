import { batch, computed, signal, type ReadonlySignal } from '@preact/signals-core'

/** Fetches what a resource shows. `signal` aborts once another load has begun, or nobody waits any more. */
export type Load<T, Args extends readonly unknown[]> = (signal: AbortSignal, ...args: Args) => Promise<T>

type Resource<T, Args extends readonly unknown[] = []> = {
  /** The last answer; null until the first one is here. A failed load leaves it as it is. */
  data: ReadonlySignal<T | null>
  /** Why the last load failed; null while nothing is wrong. */
  error: ReadonlySignal<unknown>
  /** True from the call of `load`, a debounce included, until the answer. */
  isLoading: ReadonlySignal<boolean>
  /** Whether `data` answers an earlier load: the last one is under way, or has failed. */
  isStale: ReadonlySignal<boolean>
  /** Fetches, and overtakes a load under way. Never throws: a failure is in `error`. */
  load: (...args: Args) => Promise<void>
  /** Repeats the last load at once. */
  retry: () => Promise<void>
  /** Replaces the data and clears the error. A load under way is older, and cancelled. */
  set: (data: T | null) => void
  /** Edits the data, if there are any, and lets a load under way finish. */
  change: (edit: (data: T) => T) => void
  /** Ends the load under way; data and error stay. */
  cancel: () => void
}

type Options = {
  /** Waits until nothing was asked for during this time: for what somebody types. */
  debounceMs?: number
  /** The timer of the debounce; answers what cancels it. */
  later?: (work: () => void, ms: number) => () => void
}

/** Data that somebody else has, and how far fetching them is. The answer of an overtaken load never counts. */
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
      // Beside older data the error stays until the answer: a page that polls would blink.
      if (data.peek() === null) error.value = null
      const answer = await fetch(mine.signal, ...args)
      settle(() => {
        data.value = answer
        error.value = null
      })
    } catch (failure) {
      settle(() => (error.value = failure))
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

/** Waits. Rejects as soon as the signal aborts, so that nothing begins that nobody wants. */
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
