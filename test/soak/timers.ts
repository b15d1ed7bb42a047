// Counts the timers of this process: comes before everything that sets one.

const active = new Set<unknown>()

const { setTimeout: later, setInterval: again, clearTimeout: notLater, clearInterval: notAgain } = globalThis

type Work = (...given: unknown[]) => void

globalThis.setTimeout = ((work: Work, ms?: number, ...given: unknown[]) => {
  const timer = later(() => {
    active.delete(timer)
    work(...given)
  }, ms)
  active.add(timer)
  return timer
}) as typeof setTimeout
globalThis.setInterval = ((work: Work, ms?: number, ...given: unknown[]) => {
  const timer = again(work, ms, ...given)
  active.add(timer)
  return timer
}) as typeof setInterval
globalThis.clearTimeout = ((timer: Timer) => {
  active.delete(timer)
  notLater(timer)
}) as typeof clearTimeout
globalThis.clearInterval = ((timer: Timer) => {
  active.delete(timer)
  notAgain(timer)
}) as typeof clearInterval

/** Those that are set and have not gone off. */
export const activeTimers = () => active.size
