import { splitCredentials } from '../outbound/credentials'
import type { Item } from './item'

/**
 * Takes the user name and password out of the addresses of feeds: some programs keep them there, and what a move notes
 * and reports is not sealed.
 */
export function hideCredentials(item: Item): Item {
  if ('episode' in item) return { ...item, episode: { ...item.episode, feed: plain(item.episode.feed) } }
  if (!('feed' in item) || item.feed === null) return item
  if (item.is !== 'podcast') return { ...item, feed: plain(item.feed) }
  if (!item.feed.includes('@')) return item
  const { address, credentials } = splitCredentials(item.feed)
  return { ...item, feed: address, credentials: item.credentials ?? credentials }
}

const plain = (feed: string) => (feed.includes('@') ? splitCredentials(feed).address : feed)
