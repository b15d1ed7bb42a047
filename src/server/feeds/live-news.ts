import { DAY } from '../platform/clock'
import type { Store } from '../store'
import type { PodcastRow } from '../store/podcasts'
import { liveItemsIn } from './live-schedule'

/** The most streams of a podcast that people are notified of within a day. */
const MOST_A_DAY = 5
const KEPT_MS = 90 * DAY

/**
 * Notes the live streams that are on, so that those who follow the podcast are notified of each once; at the first reading
 * nobody is, as they see them on the page. Call in a transaction.
 */
export function noteLive(store: Store, { id }: PodcastRow, extras: string, now: number, isFirst: boolean) {
  const on = liveItemsIn({ extras }).filter(({ status }) => status === 'live')
  if (on.length === 0) return
  store.liveNotices.removeBefore(id, now - KEPT_MS)
  let left = MOST_A_DAY - store.liveNotices.countSince(id, now - DAY)
  for (const { guid, title } of on) {
    if (left <= 0) return
    if (store.liveNotices.note({ podcast_id: id, guid, title, seen_at: now }, isFirst)) left--
  }
}
