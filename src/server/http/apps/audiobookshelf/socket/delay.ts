export type Delay = ReturnType<typeof createDelay>

/** Work that runs once, `ms` after it was first asked for, however often it is asked for in the meantime. */
export function createDelay(ms: number, onError: (error: unknown) => void, work: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | null = null
  return {
    ask() {
      timer ??= setTimeout(() => {
        timer = null
        work().catch(onError)
      }, ms)
    },
    stop() {
      if (timer) clearTimeout(timer)
      timer = null
    },
  }
}
