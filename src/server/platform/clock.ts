/** The one source of time: milliseconds since 1970, UTC. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()
/** Milliseconds since the start of the process; never runs backwards. */
export const monotonicClock: Clock = () => performance.now()

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
