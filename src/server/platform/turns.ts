import { type Clock, MINUTE, SECOND } from './clock'
import { Problem } from './problem'

/** Keys to remember; a full map drops the one that was seen first. */
const MAX_REMEMBERED = 10_000

/** Lets each key act `most` times within a minute. Throws `too-many-requests` with a message beyond that. */
export function createTurns<Key extends number | string>(now: Clock, most: number, message: string) {
  const turns = new Map<Key, number[]>()
  return (key: Key) => {
    const recent = (turns.get(key) ?? []).filter(at => now() - at < MINUTE)
    if (recent.length >= most) {
      const seconds = Math.ceil((recent[0]! + MINUTE - now()) / SECOND)
      throw new Problem('too-many-requests', message, { seconds: String(seconds) }, seconds)
    }
    if (turns.size >= MAX_REMEMBERED && !turns.has(key)) turns.delete(turns.keys().next().value!)
    turns.set(key, [...recent, now()])
  }
}
