import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { items, startLibrary, type Library } from '../../../../support/audiobookshelf-library'
import {
  episode,
  episodeShelf,
  expandedItem,
  filterData,
  findOffences,
  itemPage,
  library,
  listOf,
  plainItem,
  podcastShelf,
  recentPage,
  searchPage,
} from '../../../../support/audiobookshelf-shapes'

const scripts = [
  'Утро',
  '朝のニュース',
  'صباح الخير',
  'בוקר',
  'Ελληνικά',
  '🎧 Ears & <b>more</b>',
  '../..\\con',
  '%2e%2e/',
  '   ',
]

const categories = '<itunes:category text="News"><itunes:category text="Daily &amp; more"/></itunes:category>'

let shown: Library
let morning: string
let bare: string
let empty: string

beforeAll(async () => {
  shown = await startLibrary({ now: () => Date.UTC(2026, 4, 1, 12) })
  morning = await shown.add({
    title: 'Morning Show',
    image: shown.host.file('/cover.png', new Uint8Array(), { type: 'image/png' }),
    extra: `${categories}<itunes:type>serial</itunes:type>`,
    items: [
      ...items(3, index => ({
        notes: `<p>Part ${index} &amp; <a href="https://a.example">more</a></p>`,
        length: 480_000,
      })),
      {
        guid: 'chapters',
        title: 'With chapters',
        duration: '1:00:00',
        extra: `<itunes:season>2</itunes:season><itunes:episode>12</itunes:episode>
          <psc:chapters xmlns:psc="http://podlove.org/simple-chapters"><psc:chapter start="0" title="Intro"/>
          <psc:chapter start="0:01:01.5" title="Talk"/></psc:chapters>`,
      },
    ],
  })
  bare = await shown.add({
    title: 'Bare',
    link: '',
    items: scripts.map((title, index) => ({ title, date: index === 0 ? null : undefined, type: '' })),
  })
  empty = await shown.add({ title: 'Empty' })
  const [first, second, third] = await shown.episodesOf(morning)
  shown.play(first.id, 20)
  shown.play(second.id, 25, { finished: true })
  shown.play(third.id, 5, { at: Date.UTC(2026, 4, 1, 11) })
})
afterAll(() => shown[Symbol.asyncDispose]())

const get = async (path: string) => {
  const answer = await shown.app.get(path)
  expect(answer.status).toBe(200)
  return answer.json
}

test.each([
  ['/api/libraries', { libraries: listOf(library) }],
  ['/api/libraries/LIB', library],
  ['/api/libraries/LIB/filterdata', filterData],
  ['/api/libraries/LIB/items?limit=0', itemPage],
  ['/api/libraries/LIB/items?limit=2&page=1&sort=addedAt&desc=1&include=rssfeed,numEpisodesIncomplete', itemPage],
  ['/api/libraries/LIB/recent-episodes?limit=50&page=0', recentPage],
  ['/api/libraries/LIB/search?q=morning&limit=12', searchPage],
  ['/api/libraries/LIB/search?q=part', searchPage],
  ['/api/items/MORNING', plainItem],
  ['/api/items/MORNING?expanded=1', expandedItem],
  ['/api/items/BARE?expanded=1', expandedItem],
  ['/api/items/BARE', plainItem],
  ['/api/items/EMPTY', plainItem],
  ['/api/items/EMPTY?expanded=1', expandedItem],
])('%s has every field, of its type and in its order', async (path, shape) => {
  const address = path
    .replace('LIB', shown.libraryId)
    .replace('MORNING', morning)
    .replace('BARE', bare)
    .replace('EMPTY', empty)
  expect(findOffences(await get(address), shape)).toEqual([])
})

test('the shelves are of podcasts and episodes alone, each with all that an app reads of it', async () => {
  const shelves = await shown.get('personalized')
  expect(shelves.map(({ id }: { id: string }) => id)).toEqual([
    'continue-listening',
    'newest-episodes',
    'recently-added',
    'listen-again',
  ])
  for (const shelf of shelves)
    expect(findOffences(shelf, shelf.type === 'podcast' ? podcastShelf : episodeShelf)).toEqual([])
  expect(shelves[0].entities.map((one: any) => one.recentEpisode.title)).toEqual(['Episode 0', 'Episode 2'])
  expect(shelves[0].entities[0].progressLastUpdate).toBe(Date.UTC(2026, 4, 1, 12))
  expect(shelves[3].entities.map((one: any) => one.recentEpisode.title)).toEqual(['Episode 1'])
})

test('an episode that was removed from what is to be continued leaves its shelf until it is played on', async () => {
  const begun = async () => {
    const [shelf] = await shown.get('personalized')
    return shelf.entities.map((one: any) => one.recentEpisode.id)
  }
  const [, , third] = await shown.episodesOf(morning)
  expect(await begun()).toContain(third.id)
  const { id, eid } = shown.server.context.store.episodes.findVisible(shown.user, third.id)!
  shown.server.context.hide(shown.user.id, { id, eid }, true)
  expect(await begun()).not.toContain(third.id)
})

test('the newest episodes are listed without those that the user has finished', async () => {
  const { episodes } = await shown.get('recent-episodes?limit=50&page=0')
  const titles = episodes.filter((one: any) => one.libraryItemId === morning).map((one: any) => one.title)
  expect(titles).toEqual(['Episode 0', 'Episode 2', 'With chapters'])
  const times = episodes.filter((one: any) => one.pubDate !== '').map((one: any) => one.publishedAt)
  expect(times).toEqual(times.toSorted((a: number, b: number) => b - a))
})

test('the file of an episode has the same path in its track, and a length above 0', async () => {
  for (const item of [morning, bare])
    for (const one of await shown.episodesOf(item)) {
      expect(one.audioFile.chapters).toEqual(one.chapters)
      expect(one.audioTrack.metadata.path).toBe(one.audioFile.metadata.path)
      expect(one.audioTrack.contentUrl).toBe(`/api/items/${item}/file/${one.audioFile.ino}`)
    }
  const [first] = await shown.episodesOf(morning)
  expect(first.duration).toBe(30)
  const [unknown] = await shown.episodesOf(bare)
  expect(unknown.duration).toBe(3600)
})

test('names of files are one segment in every script, and no two of a podcast are the same', async () => {
  const names = (await shown.episodesOf(bare)).map((one: any) => one.audioFile.metadata.filename as string)
  expect(new Set(names).size).toBe(scripts.length)
  for (const name of names) {
    expect(name).toMatch(/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} ]*-[0-9a-f]{12}\.mp3$/u)
    expect(Buffer.byteLength(name)).toBeLessThan(255)
  }
})

test('an episode has its season, number, chapters and notes, and a subtitle that is no HTML', async () => {
  const episodes = await shown.episodesOf(morning)
  const chaptered = episodes.find((one: any) => one.guid === 'chapters')
  expect(chaptered).toMatchObject({ season: '2', episode: '12', duration: 3600 })
  expect(chaptered.chapters).toEqual([
    { id: 0, start: 0, end: 61.5, title: 'Intro' },
    { id: 1, start: 61.5, end: 3600, title: 'Talk' },
  ])
  const [first] = episodes
  expect(first.description).toContain('<p>Part 0 &amp; <a href="https://a.example/"')
  expect(first.subtitle).toBe('Part 0 &amp; more')
  expect(first.pubDate).toEndWith('2026 00:00:00 +0000')
})

test('an episode without a date has no text for it, and none of the lists fails', async () => {
  const { episodes } = await shown.get('recent-episodes?limit=50')
  expect(episodes.at(-1)).toMatchObject({ title: scripts[0], pubDate: '' })
})

test('an episode is found by its id beside that of its podcast, and by no other', async () => {
  const [first] = await shown.episodesOf(morning)
  expect(findOffences(await get(`/api/podcasts/${morning}/episode/${first.id}`), episode)).toEqual([])
  expect((await shown.app.get(`/api/podcasts/${bare}/episode/${first.id}`)).status).toBe(404)
  expect((await shown.app.get(`/api/podcasts/${morning}/episode/none`)).status).toBe(404)
})

test('a page of an item tells where its user is in an episode', async () => {
  const [first] = await shown.episodesOf(morning)
  const item = await get(`/api/items/${morning}?expanded=1&include=progress,rssfeed,downloads&episode=${first.id}`)
  expect(item).toMatchObject({ rssFeed: null, episodeDownloadsQueued: [] })
  expect(item.userMediaProgress).toMatchObject({ episodeId: first.id, currentTime: 20, isFinished: false })
  const last = (await shown.episodesOf(bare)).at(-1)
  const other = await get(`/api/items/${bare}?expanded=1&include=progress&episode=${last.id}`)
  expect(other.userMediaProgress).toBeNull()
})

test('several items are read at once; unknown ids are left out, and none at all is refused', async () => {
  const { json } = await shown.app.post('/api/items/batch/get', { libraryItemIds: [bare, 'none', morning, bare] })
  expect(json.libraryItems.map((item: any) => item.id)).toEqual([bare, morning])
  expect(findOffences(json, { libraryItems: listOf(expandedItem) })).toEqual([])
  const tooMany = [...Array.from({ length: 100 }, (_, index) => `none ${index}`), bare]
  expect((await shown.app.post('/api/items/batch/get', { libraryItemIds: tooMany })).json).toEqual({ libraryItems: [] })
  for (const body of [{ libraryItemIds: [] }, {}, [], null, { libraryItemIds: 'x' }]) {
    const refused = await shown.app.post('/api/items/batch/get', body)
    expect([refused.status, refused.text]).toEqual([403, 'Invalid payload'])
  }
})

test('pages of a list hold everything once, with the same total, until one is empty', async () => {
  const seen: string[] = []
  for (let page = 0; ; page++) {
    const { results, total } = await shown.get(`items?limit=2&page=${page}&sort=media.metadata.title`)
    expect(total).toBe(3)
    if (results.length === 0) break
    seen.push(...results.map((item: any) => item.media.metadata.title))
  }
  expect(seen).toEqual(['Bare', 'Empty', 'Morning Show'])
})

test.each([
  ['addedAt', ['Morning Show', 'Bare', 'Empty']],
  ['media.metadata.title', ['Bare', 'Empty', 'Morning Show']],
  ['media.numTracks', ['Empty', 'Morning Show', 'Bare']],
])('a list is ordered by %s, and the other way round', async (sort, titles) => {
  const titlesOf = async (query: string) =>
    (await shown.get(`items?${query}`)).results.map((item: any) => item.media.metadata.title)
  expect(await titlesOf(`sort=${sort}`)).toEqual(titles)
  expect(await titlesOf(`sort=${sort}&desc=1`)).toEqual(titles.toReversed())
})

test('an order or a filter that is unknown changes nothing', async () => {
  for (const query of [
    'sort=nothing',
    'sort=random',
    'filter=nothing.eA%3D%3D',
    'filter=progress.aW4tcHJvZ3Jlc3M%3D',
    'filter=%25',
  ])
    expect((await shown.get(`items?${query}`)).total).toBe(3)
  for (const group of ['issues', 'feed-open', 'series.eA%3D%3D', 'authors.eA%3D%3D', 'narrators.eA%3D%3D'])
    expect((await shown.get(`items?filter=${group}`)).total).toBe(0)
})

test('a list is filtered by genre, language and tag', async () => {
  const { tags } = shown.server.context.store
  const tag = tags.add(shown.user.id, { name: 'Zum >>> Hören?', color: 'Red' }, 0)
  tags.assign(tag.id, shown.server.context.store.catalogue.podcastId(bare)!)
  const found = async (group: string, value: string) => {
    const encoded = encodeURIComponent(Buffer.from(value).toString('base64'))
    const { results } = await shown.get(`items?filter=${group}.${encoded}`)
    return results.map((item: any) => item.id)
  }
  expect(await found('genres', 'Daily & more')).toEqual([morning])
  expect(await found('genres', 'News')).toEqual([morning])
  expect(await found('genres', 'Ne')).toEqual([])
  expect(await found('languages', 'en')).toHaveLength(3)
  expect(await found('languages', 'de')).toEqual([])
  expect(await found('tags', 'Zum >>> Hören?')).toEqual([bare])
  // Some apps leave the plus of Base64 as it is.
  const plain = Buffer.from('Zum >>> Hören?').toString('base64')
  expect(plain).toContain('+')
  expect((await shown.get(`items?filter=tags.${plain}`)).total).toBe(1)
  const { genres, languages, tags: names } = await shown.get('filterdata')
  expect({ genres, languages, names }).toEqual({
    genres: ['Daily & more', 'News'],
    languages: ['en'],
    names: ['Zum >>> Hören?'],
  })
  expect((await shown.get('search?q=H%C3%B6ren')).tags).toEqual([{ name: 'Zum >>> Hören?', numItems: 1 }])
  expect((await shown.get('search?q=daily')).genres).toEqual([{ name: 'Daily & more', numItems: 1 }])
})

test('a list counts what its user has not finished where that is asked for', async () => {
  const numbersOf = async (include: string) => {
    const { results } = await shown.get(`items?sort=addedAt&include=${include}`)
    return results.map((item: any) => item.numEpisodesIncomplete)
  }
  expect(await numbersOf('rssfeed,numEpisodesIncomplete')).toEqual([3, scripts.length, 0])
  expect(await numbersOf('')).toEqual([undefined, undefined, undefined])
  const shelves = await shown.get('personalized?limit=0&include=rssfeed,numEpisodesIncomplete')
  const added = shelves.find(({ id }: { id: string }) => id === 'recently-added').entities
  expect(added.map((item: any) => item.numEpisodesIncomplete)).toEqual([0, scripts.length, 3])
  expect(added[0].rssFeed).toBeNull()
})

test('words are found however an app writes the spaces between them', async () => {
  for (const words of ['morning%20show', 'morning+show', 'MORNING  SHOW '])
    expect((await shown.get(`search?q=${words}`)).podcast.map((hit: any) => hit.libraryItem.id)).toEqual([morning])
  const { episodes } = await shown.get('search?q=chapters')
  expect(episodes[0].libraryItem).toMatchObject({ id: morning, recentEpisode: { title: 'With chapters' } })
  expect((await shown.get('search?q=%22*%00%28')).podcast).toEqual([])
  for (const query of ['', 'q=', 'q=%20'])
    expect((await shown.app.get(`/api/libraries/${shown.libraryId}/search?${query}`)).status).toBe(400)
})

test.each(['items', 'personalized', 'recent-episodes', 'search?q=x', 'stats', 'filterdata', 'series', 'opml'])(
  'another library has no %s',
  async path => {
    for (const id of ['none', morning, '..%2f..']) {
      const { status, text } = await shown.app.get(`/api/libraries/${id}/${path}`)
      expect([status, text]).toEqual([404, 'Library not found'])
    }
  },
)

test('a limit or page that is no whole number is refused with a line of text', async () => {
  for (const query of ['limit=-1', 'limit=x', 'page=1.5', 'limit=1e3', 'page=-0'])
    for (const list of ['items', 'recent-episodes', 'series']) {
      const { status, text } = await shown.app.get(`/api/libraries/${shown.libraryId}/${list}?${query}`)
      expect([status, text]).toEqual([400, expect.stringContaining('must be a whole number')])
    }
})

test('a list whose podcasts are removed while it is written has the others', async () => {
  const { catalogue } = shown.server.context.store
  const gone = Array.from({ length: 1000 }, (_, index) => ({ id: 1_000_000 + index, categories: null }))
  const known = catalogue.order(shown.user, { by: null, descending: false })
  const order = spyOn(catalogue, 'order').mockReturnValue([...known, ...gone, ...known])
  expect((await shown.get('items?limit=0&page=0&gone')).results).toHaveLength(6)
  order.mockRestore()
})

test('a page far behind the end is empty', async () => {
  expect((await shown.get('items?limit=20&page=999999999999')).results).toEqual([])

  const { timeline } = shown.server.context.store
  const read = spyOn(timeline, 'idsFor')
  expect((await shown.get('recent-episodes?limit=50&page=999999999999')).episodes).toEqual([])
  expect((await shown.get('recent-episodes?limit=9999&page=30')).episodes).toEqual([])
  for (const [, , limit] of read.mock.calls) expect(limit).toBeLessThanOrEqual(10_200)
  read.mockRestore()
})

test.each(['none', '00000000-0000-0000-0000-000000000000', '%00', '%E2%98%83', "'%20OR%201=1"])(
  'an item of the id %s is unknown',
  async id => {
    for (const path of [`/api/items/${id}`, `/api/items/${id}?expanded=1`, `/api/items/${id}/cover`]) {
      const { status, text } = await shown.app.get(path)
      expect([status, text]).toEqual([404, 'Not Found'])
    }
  },
)

test.each([
  ['PATCH', 'items/ID/media'],
  ['DELETE', 'items/ID'],
  ['DELETE', 'podcasts/ID/episode/E'],
  ['GET', 'items/ID/download'],
  ['GET', 'users'],
  ['GET', 'users/online'],
  ['GET', 'backups'],
  ['PATCH', 'settings'],
  ['GET', 'stats/year/2026'],
  ['GET', 'filesystem'],
  ['POST', 'upload'],
  ['POST', 'feeds/item/ID/open'],
  ['POST', 'emails/test'],
])('%s /api/%s is refused', async (method, path) => {
  const { status, text } = await shown.app.call(method, `/api/${path.replace('ID', morning)}`)
  expect([status, text]).toEqual([403, 'Forbidden'])
  expect((await shown.app.get(`/api/items/${morning}`)).status).toBe(200)
})

test.each([
  ['collections', { collections: [] }],
  ['tasks', { tasks: [] }],
  ['feeds', { feeds: [], minified: [] }],
  ['me/sessions', { total: 0, numPages: 0, page: 0, itemsPerPage: 10, sessions: [] }],
  ['libraries/LIB/narrators', { narrators: [] }],
  ['libraries/LIB/authors', { authors: [] }],
  ['libraries/LIB/episode-downloads', { queue: [] }],
  [
    'libraries/LIB/series?limit=5&page=0',
    { results: [], total: 0, limit: 5, page: 0, sortDesc: false, minified: true, include: '' },
  ],
])('/api/%s has nothing in it', async (path, body) => {
  expect(await get(`/api/${path.replace('LIB', shown.libraryId)}`)).toEqual(body)
})

test('paths that nobody knows are not found', async () => {
  for (const path of ['collections/x', 'series/x', 'authors/x', 'authors/x/image', 'libraries/x/y/z', 'items'])
    expect((await shown.app.get(`/api/${path}`)).status).toBe(404)
})

test('a library without podcasts has empty lists and no shelves', async () => {
  await using empty = await startLibrary()
  expect(await empty.get('personalized')).toEqual([])
  expect(await empty.get('items?limit=20&page=0')).toMatchObject({ results: [], total: 0 })
  expect(await empty.get('recent-episodes')).toMatchObject({ episodes: [] })
  expect(await empty.get('search?q=a')).toEqual({ podcast: [], episodes: [], tags: [], genres: [] })
  expect(await empty.get('stats')).toMatchObject({ totalItems: 0, totalSize: 0, totalDuration: 0, numAudioTracks: 0 })
  expect(findOffences(await empty.get('filterdata'), filterData)).toEqual([])
})

test('lists are compressed for apps that read it so', async () => {
  const path = `/api/libraries/${shown.libraryId}/items?limit=0`
  const response = await shown.server.fetch(path, {
    headers: { Authorization: `Bearer ${shown.app.token}`, 'Accept-Encoding': 'gzip' },
  })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  const body = Bun.gunzipSync(await response.bytes())
  expect(JSON.parse(new TextDecoder().decode(body))).toEqual(await get(path))
})
