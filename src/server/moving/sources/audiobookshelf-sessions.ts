import { HOUR, SECOND } from '../../platform/clock'
import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import type { EpisodeRef, Item } from '../item'
import { seconds, text, time } from './values'

/** A session that is longer was left open. */
const LONGEST_HOURS = 24

type Needs = { db: ForeignDatabase; sessions: string; refOf: (row: ForeignRow) => EpisodeRef; now: number }
type Heard = { user: string; row: ForeignRow; byHour: Map<number, number> }

/** Reads what people listened to, hour by hour. Sessions come by person and episode. */
export function* readSessions({ db, sessions, refOf, now }: Needs): Generator<Item> {
  let heard: Heard | null = null
  for (const row of db.rows(sessions)) {
    const user = text(row.username, 200)
    if (user === null) continue
    if (heard && (heard.user !== user || heard.row.id !== row.id)) {
      yield* hoursOf(heard, refOf)
      heard = null
    }
    heard ??= { user, row, byHour: new Map() }
    const at = time(row.createdAt, 'text', now)
    if (at === null) yield { is: 'left-out', kind: 'listened', reason: 'no-time', feed: text(row.feed) }
    else spread(heard.byHour, at, seconds(row.timeListening) ?? 0, now)
  }
  if (heard) yield* hoursOf(heard, refOf)
}

function* hoursOf({ user, row, byHour }: Heard, refOf: Needs['refOf']): Generator<Item> {
  for (const [hour, listened] of byHour)
    yield { is: 'listened', user, episode: refOf(row), seconds: listened, at: hour * HOUR }
}

/** Adds a session to the hours that it filled, one after the other from its beginning. */
function spread(byHour: Map<number, number>, at: number, length: number, now: number) {
  let left = Math.min(length, (LONGEST_HOURS * HOUR) / SECOND)
  let hour = Math.floor(at / HOUR)
  let room = Math.floor(((hour + 1) * HOUR - at) / SECOND)
  for (; left > 0 && hour * HOUR <= now; hour++, room = HOUR / SECOND) {
    const part = Math.min(left, room)
    if (part > 0) byHour.set(hour, (byHour.get(hour) ?? 0) + part)
    left -= part
  }
}
