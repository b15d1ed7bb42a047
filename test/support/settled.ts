/** Waits until everything that could go on without the outside world has gone on. */
export const settled = () => new Promise(setImmediate)

/** Calls that the test answers, in the order that it likes. */
export function createCalls<Args extends unknown[], T>() {
  const calls: { args: Args; answer: (value: T) => void; refuse: (reason: unknown) => void }[] = []
  return {
    calls,
    call: (...args: Args) => {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      calls.push({ args, answer: resolve, refuse: reject })
      return promise
    },
    /** Answers a call, the last one unless told otherwise, and waits for what follows from it. */
    async answer(value: T, index = calls.length - 1) {
      calls[index]!.answer(value)
      await settled()
    },
    async refuse(reason: unknown, index = calls.length - 1) {
      calls[index]!.refuse(reason)
      await settled()
    },
  }
}
