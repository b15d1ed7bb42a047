import { expect, test } from 'bun:test'
import { startLibrary } from '../../../../support/audiobookshelf-library'
import {
  episodeShelf,
  expandedItem,
  findOffences,
  itemPage,
  podcastShelf,
  recentPage,
  searchPage,
} from '../../../../support/audiobookshelf-shapes'
import { hostileNotes, hostileTitles, longName, longWord } from '../../../../support/hostile-words'
import { startRandom } from '../../../../support/random'

const oddities: readonly string[] = [
  '',
  '<itunes:season>-3</itunes:season><itunes:episode>0</itunes:episode><itunes:duration>-5</itunes:duration>',
  '<itunes:season>99999999999</itunes:season><itunes:episode>12.5</itunes:episode>',
  '<itunes:duration>9999999:59:59</itunes:duration><itunes:episodeType>odd</itunes:episodeType>',
  '<itunes:explicit>maybe</itunes:explicit><itunes:image href="javascript:alert(1)"/>',
]

/** Feeds that say odd things of themselves and their episodes. */
async function startOddLibrary() {
  const library = await startLibrary()
  const dates = [undefined, null, 'Fri, 31 Feb 1850 25:61:00 +9999', 'Thu, 01 Jan 1970 00:00:00 GMT', 'tomorrow']
  const types = [
    'audio/mpeg',
    '',
    'AUDIO/X-M4A; codecs="x"',
    'text/html',
    'video/mp4',
    'nonsense',
    '../../x',
    'constructor',
    '__proto__',
  ]
  const lengths = [0, -1, 1, 99_999_999_999_999, 480_000]
  const odd = await library.add({
    title: longWord,
    extra: `<itunes:category text="${longName}"/><itunes:category text=""/><itunes:type>odd</itunes:type>`,
    items: hostileTitles.flatMap((title, index) =>
      oddities.map((extra, place) => ({
        guid: `${index} ${place}`,
        title,
        notes: [hostileNotes, '<p>&lt;script&gt;', '<', '&', ''][(index + place) % 5]!,
        date: dates[(index + place) % dates.length] as string,
        type: types[(index * 5 + place) % types.length]!,
        length: lengths[(index + place) % lengths.length]!,
        enclosure: `https://cdn.example/${index}/${place}.${['mp3', 'm4a?x=.ogg', 'php', ''][place % 4]}`,
        extra,
      })),
    ),
  })
  await library.add({ title: '', link: 'not an address' })
  return { library, odd }
}

test('whatever feeds say, every answer has its fields, of their types and in their order', async () => {
  const { library, odd } = await startOddLibrary()
  await using _ = library
  const item = (await library.app.get(`/api/items/${odd}?expanded=1`)).json
  expect(item.media.episodes.length).toBeGreaterThan(35)
  const types = new Set(item.media.episodes.map((episode: any) => episode.enclosure.type))
  expect([types.has('constructor'), types.has('__proto__')]).toEqual([true, true])
  expect(findOffences(item, expandedItem)).toEqual([])
  expect(findOffences(await library.get('items'), itemPage)).toEqual([])
  expect(findOffences(await library.get('recent-episodes?limit=100'), recentPage)).toEqual([])
  expect(findOffences(await library.get('search?q=x'), searchPage)).toEqual([])
  for (const shelf of await library.get('personalized?limit=50'))
    expect(findOffences(shelf, shelf.type === 'podcast' ? podcastShelf : episodeShelf)).toEqual([])
  for (const { subtitle } of item.media.episodes) {
    expect(subtitle).not.toMatch(/[<>]/)
    expect(subtitle.length).toBeLessThan(200)
  }
})

test('whatever an app asks, nothing fails, and what is refused says why', async () => {
  const { library, odd } = await startOddLibrary()
  await using _ = library
  const { between, pick } = startRandom(7)
  const values = [
    '',
    '0',
    '1',
    '-1',
    '1e9',
    '007',
    'null',
    '%',
    '%00',
    '💥',
    ' ',
    '+',
    "'--",
    'a'.repeat(5000),
    'progress.x',
    'genres.',
    'tags.%25',
    '[]',
    'constructor',
    'toString',
    '__proto__',
    odd,
  ]
  const names = [
    'limit',
    'page',
    'sort',
    'desc',
    'filter',
    'include',
    'q',
    'expanded',
    'episode',
    'width',
    'raw',
    'format',
    'ts',
    'itemsPerPage',
    'minified',
  ]
  const paths = [
    ...[
      '',
      '/items',
      '/personalized',
      '/recent-episodes',
      '/search',
      '/stats',
      '/filterdata',
      '/series',
      '/authors',
    ].map(path => `/api/libraries/${library.libraryId}${path}`),
    ...['', '/cover', '/download'].map(path => `/api/items/${odd}${path}`),
    '/api/libraries',
    '/api/tags',
    '/api/genres',
    '/api/me/sessions',
    `/api/podcasts/${odd}/episode/${odd}`,
  ]
  for (let round = 0; round < 400; round++) {
    const query = Array.from({ length: between(1, 4) }, () => `${pick(names)}=${encodeURIComponent(pick(values))}`)
    const address = `${pick(paths)}?${query.join('&')}`
    const { status, text } = await library.app.get(address)
    expect([address, [200, 400, 403, 404].includes(status)]).toEqual([address, true])
    if (status !== 304) expect([address, text === '']).toEqual([address, false])
  }
  expect(library.server.lines.filter(line => line.includes('request of an app failed'))).toEqual([])
})

test('an order that nobody knows is none, whatever it is called', async () => {
  await using library = await startLibrary()
  await library.add()
  for (const sort of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'unknown']) {
    const { status, json } = await library.app.get(`/api/libraries/${library.libraryId}/items?sort=${sort}`)
    expect([sort, status, json.results.length]).toEqual([sort, 200, 1])
  }
})
