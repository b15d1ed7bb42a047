import { clientOf, rowsAt, until, type Peer, type Place } from './peer'

type Library = { id: string; mediaType: string; folders: { id: string }[] }
type Item = { id: string; media: { metadata: { feedUrl: string | null } } }
type Podcast = { media: { episodes: { audioFile: { ino: string } }[] } }

/** Audiobookshelf: the first podcast library that the user sees. It stores downloaded episodes only. */
export function audiobookshelf(place: Place & { user: { username: string; password: string } | null }): Peer {
  const client = clientOf(place)
  const { call } = client
  let library = ''
  let folder = ''

  async function stored() {
    const { results } = await call<{ results: Item[] }>('GET', `/api/libraries/${library}/items?limit=0&minified=1`)
    return results.map(({ id, media }) => ({ id, feed: media.metadata.feedUrl ?? '' }))
  }
  const importFeeds = async (feeds: readonly string[]) =>
    void (await call('POST', '/api/podcasts/opml/create', { feeds, libraryId: library, folderId: folder }))

  return {
    name: place.name,
    pids: place.pids,
    fetch: client.fetch,
    async open() {
      if (place.user) client.signIn(await accessToken(call, place.user))
      const { libraries } = await call<{ libraries: Library[] }>('GET', '/api/libraries')
      const found = libraries.find(({ mediaType }) => mediaType === 'podcast')
      if (!found?.folders[0]) throw new Error('there is no podcast library')
      library = found.id
      folder = found.folders[0].id
      return async () => {}
    },
    timeline: limit => ({
      path: `/api/libraries/${library}/recent-episodes?limit=${limit}&page=0`,
      rowsOf: rowsAt('episodes'),
    }),
    podcasts: () => ({ path: `/api/libraries/${library}/items?limit=0&minified=1`, rowsOf: rowsAt('results') }),
    episodes: podcast => ({ path: `/api/items/${podcast}?expanded=1`, rowsOf: rowsAt('media', 'episodes') }),
    search: text => ({
      path: `/api/libraries/${library}/search?limit=100&q=${encodeURIComponent(text)}`,
      rowsOf: rowsAt('episodes'),
    }),
    stored,
    countEpisodes: async () => null,
    importFeeds,
    refresh: async podcast => void (await call('GET', `/api/podcasts/${podcast}/checknew?limit=1`)),
    async download(feed) {
      await importFeeds([feed])
      const id = await until(
        'the podcast was not stored',
        1,
        async () => (await stored()).find(item => item.feed === feed)?.id ?? null,
      )
      const { podcast } = await call<{ podcast: { episodes: unknown[] } }>('POST', '/api/podcasts/feed', {
        rssFeed: feed,
      })
      await call('POST', `/api/podcasts/${id}/download-episodes`, podcast.episodes)
      const { ino } = await until('nothing was downloaded', 5, async () => {
        const { media } = await call<Podcast>('GET', `/api/items/${id}`)
        return media.episodes[0]?.audioFile ?? null
      })
      return { address: new URL(`/api/items/${id}/file/${ino}`, place.origin).href, headers: client.headers() }
    },
    remove: async podcast => void (await call('DELETE', `/api/items/${podcast}?hard=1`)),
  }
}

async function accessToken(call: ReturnType<typeof clientOf>['call'], user: { username: string; password: string }) {
  type SignedIn = { user: { accessToken?: string; token?: string } }
  const signedIn = await call<SignedIn>('POST', '/login', user, { 'x-return-tokens': 'true' })
  const token = signedIn.user.accessToken ?? signedIn.user.token
  if (!token) throw new Error('POST /login answered without a token')
  return token
}
