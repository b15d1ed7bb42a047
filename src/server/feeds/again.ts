import type { Census, Known, Listed, Pairs } from './marks'
import { MOST_SHIFT } from './likeness'
import { sharesNothing } from './guid-trust'
import { isSameKind, lastsAsLong } from './rounds'

/** The share of a feed that may change at once; more is an event of the whole feed, such as a move. */
const MOST_AT_ONCE = 0.1
const MOST_FEW = 2

/**
 * Recognises an episode that the publisher took out of the middle of a feed and published again under another guid and
 * address: nothing but its title, which no other has, distinguishes the one from the other. It may be wrong, so the
 * page says "published again" and a person can say that these are two.
 */
export function pairAgain(listed: readonly Listed[], known: readonly Known[], pairs: Pairs, census: Census): Pairs {
  const again: Pairs = new Map()
  const claimed = new Set(pairs.values())
  const gone = new Map(
    known.filter(one => one.episode.in_feed === 1 && !claimed.has(one)).map(one => [one.marks.title, one]),
  )
  if (gone.size === 0) return again
  const oldest = Math.min(...[...claimed].filter(({ episode }) => episode.in_feed === 1).map(({ place }) => place))
  for (const entry of listed) {
    const found = pairs.has(entry) ? undefined : gone.get(entry.marks.title)
    if (!found || found.place < oldest || !census.isOwn(entry.marks, 'title')) continue
    const pair = { listed: entry, known: found }
    if (!isEarlier(entry, found) && lastsAsLong(pair) && isSameKind(pair)) again.set(entry, found)
  }
  return again
}

const isEarlier = ({ marks }: Listed, known: Known) =>
  marks.time !== null && known.marks.time !== null && marks.time < known.marks.time

/** What became of known episodes in a reading, beyond an edit. */
export type News = {
  /** Published again: later by more than a clock or a zone explains, or with nothing left of it but the guid. */
  again: ReadonlySet<Listed>
  /** The publisher offers another recording. */
  reissued: ReadonlySet<Listed>
}

/** Finds single episodes that were published again or recorded anew; where much of a feed changed, it has moved. */
export function findNews(pairs: Pairs, guessed: Pairs): News {
  const all = [...pairs]
  const again = new Set(few(all.filter(isAgain), all.length))
  for (const entry of guessed.keys()) again.add(entry)
  return { again, reissued: new Set(few(all.filter(isReissue), all.length)) }
}

function few(found: readonly (readonly [Listed, Known])[], of: number): Listed[] {
  return found.length > Math.max(MOST_FEW, MOST_AT_ONCE * of) ? [] : found.map(([entry]) => entry)
}

const isAgain = ([entry, known]: readonly [Listed, Known]) =>
  (entry.marks.time !== null && known.marks.time !== null && entry.marks.time - known.marks.time > MOST_SHIFT) ||
  sharesNothing(entry, known)

/** Another length, or another address unless the length shows the same recording. */
function isReissue([{ marks, item }, { marks: before, episode }]: readonly [Listed, Known]): boolean {
  if (marks.length !== null && before.length !== null) return marks.length !== before.length
  if (marks.address === before.address) return false
  return item.duration === 0 || item.duration !== episode.announced_duration
}
