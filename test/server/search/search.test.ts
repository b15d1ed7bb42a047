import { expect, test } from 'bun:test'
import { packDocument } from '../../../src/server/store/documents'
import { refusal, startTestApp, type TestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { facts } from '../store/plant'

async function plant(app: TestApp, items: { title: string; notes?: string; date?: string }[]) {
  using host = startFeedHost()
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ title: 'Lighthouse Radio', items })))
  await app.context.indexer.run()
  return podcast
}
const titlesOf = async (app: TestApp, q: string, more: object = {}) =>
  (await app.search.find({ q, ...more }, null)).data.episodes.map(hit => hit.podcastEpisode.name)

test('words are found in titles and notes, the last as it is typed, titles first and then what is new', async () => {
  await using app = await startTestApp()
  await plant(app, [
    { title: 'Fog signals', notes: '<p>How ships find the harbour</p>' },
    { title: 'Harbour lights', notes: '<p>Nothing of it</p>' },
    { title: 'Über Nebel', notes: '<p>Dichter <b>Nebel</b>, caf&eacute; &amp; Kuchen</p>' },
  ])
  expect(await titlesOf(app, 'harb')).toEqual(['Harbour lights', 'Fog signals'])
  expect(await titlesOf(app, 'uber')).toEqual(['Über Nebel'])
  expect(await titlesOf(app, 'CAFÉ')).toEqual(['Über Nebel'])
  expect(await titlesOf(app, 'fog harbour')).toEqual(['Fog signals'])
  expect(await titlesOf(app, 'f')).toEqual(['Fog signals'])
  expect(await titlesOf(app, 'nothing here')).toEqual([])
})

test('what is found in notes is shown with a dot between blocks that do not end as a sentence', async () => {
  await using app = await startTestApp()
  const notes =
    '<h2>Chapters</h2><ul><li>05:30 Lens</li><li>08:45 <b>Letters</b></li></ul><p>The end.</p><p>More<br>fog</p>'
  await plant(app, [{ title: 'Fog signals', notes }])
  const { data } = await app.search.find({ q: 'lens' }, null)
  expect(data.episodes[0]!.snippet).toBe('Chapters · 05:30 <mark>Lens</mark> · 08:45 Letters · The end. More · fog')
})

test('a number is looked for as it is: first in titles, then in titles that begin with it, then in texts', async () => {
  await using app = await startTestApp()
  await plant(app, [
    { title: 'Fog', notes: 'As said in episode 42, ships wait' },
    { title: 'Fog again', notes: 'As said in episode 421' },
    { title: 'Episode 421', notes: 'A later one' },
    { title: 'Lamps', notes: 'An episode without any number' },
    { title: '#42 – Ropes', notes: 'In this episode: ropes' },
    { title: 'Episode 42', notes: 'The one that is meant' },
  ])
  const inOrder = ['Episode 42', '#42 – Ropes', 'Episode 421', 'Fog']
  expect(await titlesOf(app, 'episode 42')).toEqual(inOrder)
  expect(await titlesOf(app, '42 episode')).toEqual(['Episode 42', '#42 – Ropes', 'Fog'])
  expect(await titlesOf(app, '42')).toEqual(['#42 – Ropes', 'Episode 42', 'Episode 421', 'Fog'])
  expect(await titlesOf(app, '421')).toEqual(['Episode 421', 'Fog again'])
  expect(await titlesOf(app, 'episode 42', { in: 'notes' })).toEqual(['Fog'])
  expect(await titlesOf(app, 'episode 42', { in: 'titles' })).toEqual(['Episode 42', 'Episode 421'])
  const paged: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof app.search.find>> = await app.search.find(
      { q: 'episode 42', limit: 1 },
      cursor,
    )
    paged.push(...page.data.episodes.map(hit => hit.podcastEpisode.name))
    cursor = page.nextCursor
  } while (cursor)
  expect(paged).toEqual(inOrder)
})

test('a short word counts in texts, as a whole one', async () => {
  await using app = await startTestApp()
  await plant(app, [
    { title: 'Thinking machines', notes: 'What an AI is good for' },
    { title: 'Sailing', notes: 'Machines that aim at the air' },
    { title: 'Machines', notes: 'Nothing of the kind' },
    { title: 'Airports and machines', notes: 'Nothing' },
  ])
  expect(await titlesOf(app, 'machines ai')).toEqual(['Airports and machines', 'Thinking machines'])
  expect(await titlesOf(app, 'ai machines')).toEqual(['Thinking machines'])
  expect(await titlesOf(app, 'ai')).toEqual(['Airports and machines', 'Thinking machines'])
  const [hit] = (await app.search.find({ q: 'good ai' }, null)).data.episodes
  expect(hit!.snippet).toBe('What an <mark>AI</mark> is <mark>good</mark> for')
})

test('no search text is an error', async () => {
  await using app = await startTestApp()
  await plant(app, [{ title: 'A "quoted" NEAR miss', notes: 'AND OR NOT (x)' }])
  for (const q of [
    '"',
    '"quoted',
    'AND',
    'NOT',
    'NEAR(',
    'x*',
    '*',
    '^a',
    'title:a',
    '(',
    ')',
    '-',
    "'",
    '%',
    ';',
    '\\',
    '🎧',
    '{a}',
  ])
    expect(await app.search.find({ q }, null)).toBeDefined()
  expect(await titlesOf(app, '"quoted" NEAR')).toEqual(['A "quoted" NEAR miss'])
  expect(await refusal(app.search.find({ q: '' }, null))).toMatchObject({ status: 422 })
  expect(await refusal(app.search.find({ q: 'x'.repeat(201) }, null))).toMatchObject({ status: 422 })
  expect(await refusal(app.search.find({ q: 'x', in: 'covers' }, null))).toMatchObject({ args: { field: 'in' } })
})

test('a hit is marked in its snippet, and nothing else in it is HTML', async () => {
  await using app = await startTestApp()
  const notes = `<p>${'Before it. '.repeat(20)}The &lt;keeper&gt; of the <i>light</i>house sleeps. ${'After it. '.repeat(30)}</p>`
  await plant(app, [{ title: 'Night', notes }])
  const [hit] = (await app.search.find({ q: 'keep' }, null)).data.episodes
  expect(hit).toMatchObject({ matchedIn: 'notes', podcastName: 'Lighthouse Radio' })
  expect(hit!.snippet).toContain('&lt;<mark>keeper</mark>&gt;')
  expect(hit!.snippet.replace(/<\/?mark>/g, '')).not.toContain('<')
  expect(hit!.snippet.length).toBeLessThan(260)
})

test('filters narrow it down: podcast, downloaded, unplayed, dates, where to look', async () => {
  await using app = await startTestApp()
  const podcast = await plant(app, [
    { title: 'Fog one', date: 'Mon, 02 Mar 2026 10:00:00 GMT' },
    { title: 'Fog two', date: 'Tue, 03 Mar 2026 10:00:00 GMT' },
    { title: 'Other', notes: 'fog', date: 'Wed, 04 Mar 2026 10:00:00 GMT' },
  ])
  expect(await titlesOf(app, 'fog', { in: 'titles' })).toEqual(['Fog two', 'Fog one'])
  expect(await titlesOf(app, 'fog', { in: 'notes' })).toEqual(['Other'])
  expect(await titlesOf(app, 'fog', { from: '2026-03-03' })).toEqual(['Fog two', 'Other'])
  expect(await titlesOf(app, 'fog', { to: '2026-03-02' })).toEqual(['Fog one'])
  expect(await titlesOf(app, 'fog', { podcastId: podcast.id, downloaded: true })).toEqual([])
  const [first] = (await app.podcasts.episodes(podcast.id, {}, null)).data
  await app.playback.save({ podcastEpisodeId: first!.podcastEpisode.episode_id, time: 5, total: 5 })
  expect(await titlesOf(app, 'fog', { unplayed: true })).toEqual(['Fog two', 'Fog one'])
  expect((await app.search.find({ q: 'light' }, null)).data.podcasts).toMatchObject([{ name: 'Lighthouse Radio' }])
})

test('a word that most episodes have counts like any other, and each episode is found once', async () => {
  await using app = await startTestApp()
  const items = Array.from({ length: 100 }, (_, number) => ({
    title: `Part ${number}`,
    notes: `${number % 7 === 0 ? 'A' : 'The'} story ${number % 3 === 0 ? 'of the harbour' : ''} ${number % 5 === 0 ? 'lamp' : 'lamps'}`,
    date: new Date(Date.UTC(2026, 0, 200 - number)).toUTCString(),
  }))
  await plant(app, items)
  expect(app.context.store.search.isCommon('story')).toBe(true)
  expect(app.context.store.search.isCommon('lamp')).toBe(false)
  const having = (is: (number: number) => boolean) => items.flatMap(({ title }, number) => (is(number) ? [title] : []))
  const isThe = (number: number) => number % 7 !== 0 || number % 3 === 0
  const lampsLast = (is: (number: number) => boolean) => [
    ...having(number => is(number) && number % 5 === 0),
    ...having(number => is(number) && number % 5 !== 0),
  ]
  const limit = { limit: 100 }
  expect(await titlesOf(app, 'the story lamp', limit)).toEqual(lampsLast(isThe))
  expect(await titlesOf(app, 'story lamp', limit)).toEqual(lampsLast(() => true))
  expect(await titlesOf(app, 'the harbour story', limit)).toEqual(having(number => number % 3 === 0))
  expect(await titlesOf(app, 'story the harbour', limit)).toEqual(having(number => number % 3 === 0))
})

test('pages follow each other without a row twice or skipped', async () => {
  await using app = await startTestApp()
  await plant(
    app,
    Array.from({ length: 57 }, (_, index) => ({
      title: index % 3 === 0 ? `Fog ${index}` : `Number ${index}`,
      notes: 'A word on fog',
    })),
  )
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof app.search.find>> = await app.search.find({ q: 'fog', limit: 10 }, cursor)
    seen.push(...page.data.episodes.map(hit => hit.podcastEpisode.name))
    cursor = page.nextCursor
  } while (cursor)
  expect(seen).toHaveLength(57)
  expect(new Set(seen).size).toBe(57)
  expect(seen.slice(0, 19).every(name => name.startsWith('Fog'))).toBe(true)
})

test('a page that began before an update of the search is not continued', async () => {
  await using app = await startTestApp()
  await plant(app, [{ title: 'Fog' }])
  for (const cursor of ['titles.5', 'texts.5', 'exact.5', 'numbered.5', 'text.x'])
    expect(await refusal(app.search.find({ q: 'fog' }, cursor))).toMatchObject({ args: { field: 'cursor' } })
})

test('an answer says whether there are transcripts to search', async () => {
  await using app = await startTestApp()
  const podcast = await plant(app, [{ title: 'Fog', notes: 'keeper' }])
  const ask = async () => (await app.search.find({ q: 'keeper', in: 'transcripts' }, null)).data
  expect(await ask()).toMatchObject({ hasTranscripts: false, episodes: [] })

  const { store, indexer } = app.context
  const [episode] = (await app.podcasts.episodes(podcast.id, {}, null)).data
  const { id } = store.episodes.findByEid(episode!.podcastEpisode.episode_id)!
  const segments = [{ startMs: 1000, endMs: null, speaker: null, text: 'the keeper of the light' }]
  store.inTransaction(() => {
    store.documents.describe(id, [{ kind: 'transcript', url: 'a', type: 'text/vtt', language: null }])
    const [document] = store.documents.of(id, 'transcript')
    store.documents.keep(document!.id, { ...packDocument(new Uint8Array([1]), segments), format: 'vtt' }, 1)
    store.episodes.edit(id, facts('Fog', { transcripts: '[]' }))
    store.search.drop(id)
  })
  await indexer.run()
  expect(await ask()).toMatchObject({ hasTranscripts: true, episodes: [{ matchedIn: 'transcripts', startMs: 1000 }] })
})

test('edits and deletions show in the results at once', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{ guid: 'a', title: 'Before' }] })))
  await app.context.indexer.run()
  host.feed('/feed.xml', rss({ items: [{ guid: 'a', title: 'Afterwards' }] }))
  await app.context.refresh.refresh(app.context.store.podcasts.findVisible(app.context.admin, podcast.id)!.id)
  await app.context.indexer.run()
  expect([await titlesOf(app, 'before'), await titlesOf(app, 'afterwards')]).toEqual([[], ['Afterwards']])
  await app.podcasts.remove(podcast.id, false)
  expect(await titlesOf(app, 'afterwards')).toEqual([])
})

test('searching for the word episode is no playback position', async () => {
  await using app = await startTestApp()
  await plant(app, [{ title: 'An episode about episodes' }])
  expect(await app.search.episodes('episode')).toMatchObject([{ name: 'An episode about episodes' }])
  expect(await app.search.episodes('about/episodes')).toMatchObject([{ name: 'An episode about episodes' }])
})
