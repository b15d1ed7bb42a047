import { expect, test } from 'bun:test'
import type { SmartRules } from '../../../src/shared/api/playlist'
import { startTestApp, type TestApp } from '../../support/app'
import { rss, type ItemSpec } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

async function plant(app: TestApp, items: readonly ItemSpec[], title = 'Radio', extra = '') {
  using host = startFeedHost()
  app.prefill(0)
  await app.podcasts.add(host.feed('/feed.xml', rss({ title, extra, items: [...items] })))
  await app.context.indexer.run()
}

async function search(app: TestApp, q: string, more: object = {}) {
  const { podcasts, people, episodes } = (await app.search.find({ q, ...more }, null)).data
  return {
    podcasts: podcasts.map(({ name }) => name),
    people: people.map(({ name }) => name),
    titles: episodes.map(({ podcastEpisode }) => podcastEpisode.name),
    snippets: episodes.map(({ snippet }) => snippet),
  }
}

const typed: readonly [written: string, typed: string][] = [
  ['Straßenbahn', 'strassenbahn'],
  ['GROẞ', 'gross'],
  ['København', 'kobenhavn'],
  ['Łódź', 'lodz'],
  ['Œuvres', 'oeuvres'],
  ['Ærø', 'aero'],
  ['IŞIK', 'isik'],
  ['ıhlamur', 'ihlamur'],
  ['İstanbul', 'istanbul'],
  ['Đorđević', 'dordevic'],
  ['Þórður', 'thordur'],
  ['ﬁnal', 'final'],
  ['Ёлка', 'елка'],
  ['Θέσεις', 'θεσεισ'],
  ['שָׁלוֹם', 'שלום'],
  ['مَرْحَبًا', 'مرحبا'],
]

test('letters are found as people type them, in titles and texts, and marked as they are written', async () => {
  await using app = await startTestApp()
  const items = typed.flatMap(([written], index) => [
    { title: `Title ${written} ${index}` },
    { title: `Notes ${index}`, notes: `<p>About ${written} &amp; more</p>` },
  ])
  await plant(app, items)
  for (const [index, [written, words]] of typed.entries())
    for (const q of [words, written, words.slice(0, -1)]) {
      const { titles, snippets } = await search(app, q)
      expect([q, titles]).toEqual([q, [`Title ${written} ${index}`, `Notes ${index}`]])
      expect(snippets[0]).toContain(`<mark>${written.normalize('NFC')}</mark>`)
      expect(snippets[1]).toBe(`About <mark>${written.normalize('NFC')}</mark> &amp; more`)
    }
})

test('so are podcasts by their titles, and people by their names', async () => {
  await using app = await startTestApp()
  const extra = '<podcast:person>Søren Ægidius</podcast:person><podcast:person>Łukasz 山田太郎</podcast:person>'
  await plant(app, [{ title: 'One' }], 'Großstadtgeflüster', extra)
  expect((await search(app, 'grossstadt')).podcasts).toEqual(['Großstadtgeflüster'])
  expect((await search(app, 'soren aegi')).people).toEqual(['Søren Ægidius'])
  expect((await search(app, 'lukasz')).people).toEqual(['Łukasz 山田太郎'])
  expect((await search(app, '太郎')).people).toEqual(['Łukasz 山田太郎'])
})

test('a mark that is a letter belongs to its word', async () => {
  await using app = await startTestApp()
  await plant(app, [{ title: 'दिल की बात' }, { title: 'दल की बात' }, { title: 'हिन्दी समाचार', notes: 'दिल' }])
  expect((await search(app, 'दिल')).titles).toEqual(['दिल की बात', 'हिन्दी समाचार'])
  expect((await search(app, 'हिन्दी')).titles).toEqual(['हिन्दी समाचार'])
  expect((await search(app, 'समाचार')).snippets).toEqual(['हिन्दी <mark>समाचार</mark>'])
})

const unspaced: readonly { title: string; notes: string; parts: readonly string[] }[] = [
  {
    title: '東京タワーの歴史',
    notes: '港区にある電波塔の話です。',
    parts: ['東京', 'タワー', '京タ', '歴史', '東', '史', '東京タワーの歴史'],
  },
  { title: '人工智能播客', notes: '我们谈论机器学习和未来。', parts: ['人工智能', '智能', '播客', '人', '客'] },
  {
    title: '서울에서 만난 사람',
    notes: '바다를 건너온 이야기',
    parts: ['서울', '에서', '울에', '사람', '서', '만난 사람'],
  },
  { title: 'ประวัติศาสตร์ไทย', notes: 'เรื่องราวของน้ำและข้าว', parts: ['ประวัติ', 'ศาสตร์', 'ไทย', 'ทย', 'ไ'] },
]
const inNotes = ['電波塔', '機', '机器学习', '学习', '건너온', '바다', 'น้ำ', 'ข้าว'] as const

test('a text without blanks is found by any part of it, and that part is marked', async () => {
  await using app = await startTestApp()
  await plant(app, [...unspaced.map(({ title, notes }) => ({ title, notes })), { title: 'Other', notes: '別の話' }])
  for (const { title, parts } of unspaced)
    for (const part of parts) {
      const { titles, snippets } = await search(app, part)
      expect([part, titles]).toEqual([part, [title]])
      for (const word of part.split(' ')) expect(snippets[0]).toContain(`<mark>${word}</mark>`)
    }
  for (const part of inNotes) {
    const wanted = unspaced.filter(({ notes }) => notes.includes(part))
    const { titles, snippets } = await search(app, part)
    expect([part, titles]).toEqual([part, wanted.map(({ title }) => title)])
    if (wanted.length > 0) expect(snippets[0]).toContain(`<mark>${part}</mark>`)
  }
})

test('parts that do not follow each other are no hit', async () => {
  await using app = await startTestApp()
  await plant(app, [
    { title: '東京と京都', notes: '' },
    { title: 'Two', notes: '東京と京都の旅' },
    { title: 'Three', notes: '東京都の旅' },
    { title: '東京都', notes: '' },
  ])
  expect((await search(app, '東京都')).titles).toEqual(['東京都', 'Three'])
  expect((await search(app, '京都')).titles).toEqual(['東京と京都', '東京都', 'Two', 'Three'])
  expect((await search(app, '東京都', { in: 'titles' })).titles).toEqual(['東京都'])
  expect((await search(app, '東京都', { in: 'notes' })).titles).toEqual(['Three'])
  expect((await search(app, '東京 京都')).titles).toHaveLength(4)
})

test('words of both kinds are found next to each other, and marked', async () => {
  await using app = await startTestApp()
  await plant(app, [{ title: 'PodcastでAIを学ぶ 第42回', notes: '' }])
  for (const q of ['podcast', 'ai', 'AIを', '学ぶ ai', '42', '第42回', 'podc'])
    expect([q, (await search(app, q)).titles]).toEqual([q, ['PodcastでAIを学ぶ 第42回']])
  expect((await search(app, 'ai')).snippets).toEqual(['Podcastで<mark>AI</mark>を学ぶ 第42回'])
})

test('a snippet of a long text without blanks shows its match', async () => {
  await using app = await startTestApp()
  await plant(app, [{ title: 'Long', notes: `${'あいうえお'.repeat(100)}灯台守${'かきくけこ'.repeat(100)}` }])
  const [snippet] = (await search(app, '灯台守')).snippets
  expect(snippet).toMatch(/^… [あいうえお]{25}<mark>灯台守<\/mark>[かきくけこ]+ …$/)
})

test('rules of playlists find and exclude the same titles as the search', async () => {
  await using app = await startTestApp()
  await plant(app, [{ title: '東京と京都' }, { title: '東京都' }, { title: 'Straße' }])
  const titled = async (op: 'contains' | 'lacks', words: string) => {
    const rules: SmartRules['rules'] = [{ field: 'title', op, words }]
    const preview = { match: 'all', rules, order: 'newest', limit: 9, keepDownloaded: 0 } as const
    return (await app.playlists.preview(preview)).items.map(({ podcastEpisode }) => podcastEpisode.name)
  }
  expect(await titled('contains', '東京都')).toEqual(['東京都'])
  expect(await titled('lacks', '東京都')).toEqual(['東京と京都', 'Straße'])
  expect(await titled('contains', '京都')).toEqual(['東京と京都', '東京都'])
  expect(await titled('contains', 'strasse')).toEqual(['Straße'])
})
