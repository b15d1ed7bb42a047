import { SECOND } from '../../platform/clock'
import type { ForeignRow } from '../../store/foreign-database'
import type { NewAction } from '../../store/episode-actions'
import { hasPlace, isFinished, readAction } from '../../sync/read-action'
import type { Item, PositionItem } from '../item'
import { isCopyOf } from '../records'
import type { Source, SourceFile } from './source'
import { isOnTheWeb, seconds, text, time } from './values'

const NAME = 'gpodder-server'
/** Apps stop reporting shortly before the end. */
const NEAR_THE_END = 10

/** A server with gPodder's API or the app of Nextcloud, whose answers were copied: subscriptions and plays. */
export const gpodderServer: Source = {
  name: NAME,
  title: 'gPodder-compatible server',
  where: null,
  recognise: ({ db, head }) => db === null && isCopyOf(NAME, head),
  read,
}

async function* read({ records, now }: SourceFile): AsyncGenerator<Item> {
  for (const record of records()) {
    const feed = text(record.feed)
    if (record.is === 'feed' && feed !== null && isOnTheWeb(feed))
      yield { is: 'podcast', feed, title: text(record.title), active: true }
  }
  for (const record of records()) {
    if (record.is !== 'feed') continue
    const feed = text(record.feed)
    if (feed !== null && isOnTheWeb(feed)) yield { is: 'subscription', user: null, feed }
    else yield { is: 'left-out', kind: 'podcasts', reason: 'not-on-the-web', feed }
  }
  for (const action of newestActions(records(), now).values()) yield positionOf(action, now)
}

/** The newest position of each episode; of two of one time the later. */
function newestActions(records: Iterable<ForeignRow>, now: number): Map<string, NewAction> {
  const newest = new Map<string, NewAction>()
  for (const record of records) {
    const action = record.is === 'action' ? readAction(0, record, Math.floor(now / SECOND)) : null
    if (!action || !hasPlace(action)) continue
    const key = `${action.feed_key} ${action.media_key}`
    const known = newest.get(key)
    if (known && action.at < known.at && action.said_at !== null) continue
    newest.set(key, { ...action, guid: action.guid ?? known?.guid ?? null })
  }
  return newest
}

function positionOf(action: NewAction, now: number): PositionItem {
  const { feed_url: feed, media_url: address, guid, said_at } = action
  const [position, total] = [seconds(action.position) ?? 0, seconds(action.total)]
  const isNearTheEnd = position > 0 && total !== null && position >= total - NEAR_THE_END
  return {
    is: 'position',
    user: null,
    episode: { feed, guid, address, title: null, publishedAt: null, duration: total },
    position,
    total,
    finished: isFinished(action) || isNearTheEnd,
    at: time(said_at, 's', now),
  }
}
