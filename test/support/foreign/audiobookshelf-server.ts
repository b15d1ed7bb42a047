import type { FeedHost } from '../feed-host'

export const absLogin = { user: 'alice', password: 'Corr3ct horse' }

const listened = Date.UTC(2026, 1, 1, 10)

const episode = (origin: string, id: string, more: Record<string, unknown> = {}) => ({
  id: `e-${id}`,
  title: `Title ${id}`,
  description: `<p>About ${id}</p><script>x</script>`,
  guid: id,
  enclosure: { url: `${origin}/${id}.mp3`, type: 'audio/mpeg', length: '5' },
  publishedAt: Date.UTC(2026, 0, 4),
  ...more,
})

const item = (id: string, title: string, feedUrl: string | null, more: Record<string, unknown>) => ({
  id,
  mediaType: 'podcast',
  media: { metadata: { title, feedUrl }, tags: [], autoDownloadEpisodes: false, episodes: [], ...more },
})

/** Podcasts: two in the world, one whose feed is gone, one of files, and one that tells nonsense. */
const listItems = (origin: string) => [
  item('i1', 'Alpha', `${origin}/alpha.xml`, {
    tags: ['Coast', null, 5],
    autoDownloadEpisodes: true,
    episodes: [
      episode(origin, 'a1'),
      episode(origin, 'a2', { guid: null }),
      episode(origin, 'a3', { enclosure: null, publishedAt: null }),
    ],
  }),
  item('i2', 'Gone', `${origin}/gone.xml`, { episodes: [episode(origin, 'g1')] }),
  item('i3', 'Files', null, { episodes: [episode(origin, 'f1')] }),
  item('i4', 'Beta', `${origin}/beta.xml`, { episodes: 'none', tags: { a: 1 } }),
]

const progress = (
  episodeId: string | null,
  currentTime: unknown,
  isFinished = false,
  lastUpdate: unknown = listened,
) => ({
  id: `m-${episodeId}`,
  libraryItemId: 'x',
  episodeId,
  duration: 1800.5,
  currentTime,
  isFinished,
  lastUpdate,
})

const me = () => ({
  id: 'u1',
  username: 'alice',
  mediaProgress: [
    progress('e-a1', 90.9),
    progress('e-a2', 1790, true, listened + 1),
    progress('e-a3', 0),
    progress('e-g1', 20, false, null),
    progress('e-f1', 10),
    progress('e-away', 10),
    // A book.
    progress(null, 500),
  ],
  bookmarks: [
    { libraryItemId: 'i1', time: 60, title: 'Which?', createdAt: listened },
    { libraryItemId: 'i2', time: 70, title: 'At 70', createdAt: listened },
    { libraryItemId: 'book', time: 80, title: 'A book', createdAt: listened },
  ],
})

const playlists = (origin: string) => [
  {
    id: 'l1',
    name: 'Trip',
    description: 'For the train',
    items: ['a2', 'a1'].map(id => ({
      libraryItemId: 'i1',
      episodeId: `e-${id}`,
      episode: episode(origin, id),
      libraryItem: { media: { metadata: { feedUrl: `${origin}/alpha.xml` } } },
    })),
  },
  { id: 'l2', name: 'Books', items: [{ libraryItemId: 'book', episodeId: null }] },
]

type Options = {
  /** Answers for which a token is good. */
  tokenLasts?: number
  /** Before 2.26 there was one token. */
  isOld?: boolean
}

/** An Audiobookshelf with a library of podcasts in pages of two, and one of books. */
export function openAudiobookshelf(host: FeedHost, { tokenLasts = Infinity, isOld = false }: Options = {}) {
  const { origin } = host
  let [token, left] = ['', 0]
  const items = listItems(origin)
  const on = (path: string, answer: (url: URL) => unknown) =>
    host.on(path, (request, url) => {
      if (request.headers.get('authorization') !== `Bearer ${token}` || left-- <= 0)
        return new Response('Unauthorized', { status: 401 })
      return Response.json(answer(url))
    })
  host.on('/status', () => Response.json({ app: 'audiobookshelf', serverVersion: '2.36.0', isInit: true }))
  host.on('/login', async request => {
    const { username, password } = (await request.json()) as Record<string, unknown>
    if (username !== absLogin.user || password !== absLogin.password)
      return new Response('Unauthorized', { status: 401 })
    token = crypto.randomUUID()
    left = tokenLasts
    return Response.json({ user: isOld ? { token } : { accessToken: token, token: 'former' } })
  })
  on('/api/me', me)
  on('/api/libraries', () => ({
    libraries: [
      { id: 'lib', mediaType: 'podcast' },
      { id: 'books', mediaType: 'book' },
    ],
  }))
  on('/api/libraries/lib/items', url => {
    const page = Number(url.searchParams.get('page'))
    return { results: items.slice(page * 2, page * 2 + 2).map(({ id }) => ({ id })), total: items.length }
  })
  for (const one of items) on(`/api/items/${one.id}`, () => one)
  on('/api/playlists', () => ({ playlists: playlists(origin) }))
  return origin
}
