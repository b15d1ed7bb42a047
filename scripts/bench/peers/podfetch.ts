import { opmlOf } from '../api'
import { clientOf, rowsAt, until, type Peer, type Place } from './peer'

type Settings = Record<string, unknown>
type Wrapper = { podcastEpisode: { episode_id: string; status: boolean; local_url: string } }

const root = '/api/v1'
// PodFetch wants all three.
const filters = 'favoredOnly=false&favoredEpisodes=false&notListened=false'

/** PodFetch, and Castellan, which speaks the same API: so both are asked the very same things. */
export function podfetch(place: Place): Peer {
  const client = clientOf(place)
  const call = <T>(method: string, path: string, body?: unknown) => client.call<T>(method, `${root}${path}`, body)
  const episodesOf = (podcast: string) => call<Wrapper[]>('GET', `/podcasts/${podcast}/episodes`)
  return {
    name: place.name,
    pids: place.pids,
    fetch: client.fetch,
    async open() {
      const settings = await call<Settings>('GET', '/settings')
      await call('PUT', '/settings', { ...settings, podcastPrefill: 0, autoDownload: false, autoUpdate: false })
      return async () => void (await call('PUT', '/settings', settings))
    },
    timeline: limit => ({ path: `${root}/podcasts/timeline?${filters}&limit=${limit}`, rowsOf: rowsAt('data') }),
    podcasts: () => ({ path: `${root}/podcasts`, rowsOf: rowsAt() }),
    episodes: (podcast, limit) => ({ path: `${root}/podcasts/${podcast}/episodes?limit=${limit}`, rowsOf: rowsAt() }),
    search: text => ({ path: `${root}/podcasts/${encodeURIComponent(text)}/query`, rowsOf: rowsAt() }),
    async stored() {
      const podcasts = await call<{ id: string | number; rssfeed: string }[]>('GET', '/podcasts')
      return podcasts.map(({ id, rssfeed }) => ({ id: String(id), feed: rssfeed }))
    },
    async countEpisodes() {
      return (await call<{ totalElements: number }>('GET', `/podcasts/timeline?${filters}`)).totalElements
    },
    importFeeds: async addresses => void (await call('POST', '/podcasts/opml', { content: opmlOf(addresses) })),
    refresh: async podcast => void (await call('POST', `/podcasts/${podcast}/refresh`)),
    async download(feed) {
      const { id } = await call<{ id: string | number }>('POST', '/podcasts/feed', { rssFeedUrl: feed })
      const find = async () => (await episodesOf(String(id)))[0]?.podcastEpisode ?? null
      const { episode_id } = await until('no episode was stored', 1, find)
      await call('PUT', `/podcasts/${episode_id}/episodes/download`)
      const stored = await until('nothing was downloaded', 5, async () => {
        const episode = await find()
        return episode?.status ? episode : null
      })
      // It may know itself by another address.
      const { pathname, search } = new URL(stored.local_url, place.origin)
      return { address: new URL(`${pathname}${search}`, place.origin).href, headers: client.headers() }
    },
    remove: async podcast => void (await call('DELETE', `/podcasts/${podcast}`, { delete_files: true })),
  }
}
