import { clientOf, rowsAt, type Peer, type Place } from './peer'

type Feed = { id: number; feed_url: string }

/** Feeds that are added at once; miniflux answers when each is stored. */
const AT_ONCE = 8

/** miniflux, a reader of feeds: it stores and searches all entries, and has neither files nor ranges. */
export function miniflux(place: Place): Peer {
  const client = clientOf(place)
  const call = <T>(method: string, path: string, body?: unknown) => client.call<T>(method, `/v1${path}`, body)
  const newest = 'order=published_at&direction=desc'
  const stored = async () =>
    (await call<Feed[]>('GET', '/feeds')).map(({ id, feed_url }) => ({ id: String(id), feed: feed_url }))

  return {
    name: place.name,
    pids: place.pids,
    fetch: client.fetch,
    async open() {
      await call('GET', '/me')
      return async () => {}
    },
    timeline: limit => ({ path: `/v1/entries?limit=${limit}&${newest}`, rowsOf: rowsAt('entries') }),
    podcasts: () => ({ path: '/v1/feeds', rowsOf: rowsAt() }),
    episodes: (podcast, limit) => ({
      path: `/v1/feeds/${podcast}/entries?limit=${limit}&${newest}`,
      rowsOf: rowsAt('entries'),
    }),
    search: text => ({
      path: `/v1/entries?limit=100&${newest}&search=${encodeURIComponent(text)}`,
      rowsOf: rowsAt('entries'),
    }),
    stored,
    countEpisodes: async () => (await call<{ total: number }>('GET', '/entries?limit=1')).total,
    async importFeeds(addresses) {
      const waiting = [...addresses]
      const add = async () => {
        for (let address = waiting.pop(); address; address = waiting.pop())
          await call('POST', '/feeds', { feed_url: address })
      }
      await Promise.all(Array.from({ length: AT_ONCE }, add))
    },
    refresh: async podcast => void (await call('PUT', `/feeds/${podcast}/refresh`)),
    download: async () => {
      throw new Error('miniflux stores no files')
    },
    remove: async podcast => void (await call('DELETE', `/feeds/${podcast}`)),
  }
}
