import { expect, test } from 'bun:test'
import type { Segment } from '../../../../../src/server/store/documents'
import { startAppLibrary } from '../../../../support/app-library'
import { connectAssistant } from '../../../../support/assistant'
import { goodPassword } from '../../../../support/app'

const reading = [
  'search',
  'get_episode',
  'read_transcript',
  'list_podcasts',
  'list_episodes',
  'my_episodes',
  'listening_statistics',
]
const changing = ['change_queue', 'mark_episodes']

/** A library, and an assistant of anna with these rights. */
async function startWithAssistant(rights: 'reads' | 'changes') {
  const library = await startAppLibrary()
  const anna = library.server.as('anna', goodPassword)
  const { password } = await anna.appPasswords.create('Claude', rights)
  const assistant = await connectAssistant(library.server, password)
  return {
    ...library,
    anna,
    assistant,
    async [Symbol.asyncDispose]() {
      await assistant[Symbol.asyncDispose]()
      await library[Symbol.asyncDispose]()
    },
  }
}

const threePassages = [
  { startMs: 0, endMs: 4000, speaker: 'Mara', text: 'Welcome to the coast.' },
  { startMs: 4000, endMs: 61_000, speaker: 'Mara', text: 'Tonight we speak of harbours.' },
  { startMs: 61_000, endMs: 70_000, speaker: 'Jon', text: 'The lighthouse keeper slept.' },
]

/** Gives an episode a transcript. */
function speak(
  { server }: Awaited<ReturnType<typeof startWithAssistant>>,
  uuid: string,
  segments: readonly Segment[] = threePassages,
) {
  const { store } = server.context
  const { id } = store.episodes.require(store.users.find(server.context.admin.id)!, uuid)
  store.documents.addGenerated(
    id,
    { language: 'en', type: 'text/vtt', body: Buffer.from('WEBVTT'), segments, model: null },
    1,
  )
  store.search.drop(id)
  return server.context.indexer.run()
}

test('an assistant finds what was said, with the moment and a link to it', async () => {
  await using library = await startWithAssistant('reads')
  const { assistant, podcast, episodes } = library
  await speak(library, episodes[0]!)
  const link = `http://localhost/ui/podcasts/${podcast}/episodes/${episodes[0]}?t=61`

  const found = await assistant.call('search', { query: 'lighthouse keeper' })
  expect(found.data).toMatchObject({
    episodes: [{ id: episodes[0], title: 'One', podcast: 'Fog & Lamps', matched_in: 'transcripts', moment: 61 }],
    next_cursor: null,
  })
  expect(found.data.episodes[0]).toMatchObject({ passage: 'The lighthouse keeper slept.', moment_link: link })
  expect(found.text).toContain(`at 1:01: ${link}`)

  const passage = await assistant.call('read_transcript', { episode_id: episodes[0], at: 61, before: 0 })
  expect(passage.text).toContain('[0:04] Mara: Tonight we speak of harbours.\n[1:01] Jon: The lighthouse keeper slept.')
  expect(passage.data).toMatchObject({ language: 'en', continues_at: null })
  const beginning = await assistant.call('read_transcript', { episode_id: episodes[0], after: 10 })
  expect(beginning.data).toMatchObject({ segments: [{ start: 0 }, { start: 4 }], continues_at: 61 })
})

test('a whole sentence, and another form of a word, find the episodes with the most telling words, the best first', async () => {
  await using library = await startWithAssistant('reads')
  const { assistant, episodes } = library
  const spoken = (text: string) => [{ startMs: 5000, endMs: 9000, speaker: null, text }]
  await speak(library, episodes[0]!, spoken('A black hole bends light at its horizon, they say.'))
  await speak(library, episodes[1]!, spoken('They talk about a black cat, and where it sleeps.'))
  await speak(library, episodes[2]!, spoken('They talk about holes in a road.'))

  const { text, data } = await assistant.call('search', { query: 'Where does the black hole have its horizons?' })
  expect(data.has_all_words).toBe(false)
  expect(data.episodes[0]).toMatchObject({ id: episodes[0], matched_in: 'transcripts', moment: 5 })
  expect(data.next_cursor).toBeNull()
  expect(text).toStartWith('No episode contains all of these words. Those with some of them:')
  const exact = await assistant.call('search', { query: 'black cat' })
  expect([exact.data.has_all_words, exact.data.episodes.map(({ id }: { id: string }) => id)]).toEqual([
    true,
    [episodes[1]],
  ])
  // Filters count as ever, and words that nobody uses find nothing.
  const filtered = await assistant.call('search', { query: 'the horizons of holes', in: ['titles'] })
  expect(filtered.data.episodes).toEqual([])
  expect((await assistant.call('search', { query: 'zygomorphic quokkas' })).text).toBe(
    'No episode contains these words.',
  )
})

test('a transcript without times that is longer than an answer says so, and not that it ends', async () => {
  await using library = await startWithAssistant('reads')
  const { assistant, episodes } = library
  const segment = { startMs: null, endMs: null, speaker: null, text: 'The harbour was quiet. '.repeat(20) }
  await speak(
    library,
    episodes[0]!,
    Array.from({ length: 100 }, () => segment),
  )
  const { text, data } = await assistant.call('read_transcript', { episode_id: episodes[0] })
  expect(text).not.toContain('ends here')
  expect(text).toContain('the rest cannot be read here')
  expect(data).toMatchObject({ continues_at: null, has_more: true })
})

test('one podcast is called one, and the documents list the tools that there are', async () => {
  await using library = await startWithAssistant('changes')
  const { text } = await library.assistant.call('list_podcasts', {})
  expect(text).toContain('1 of 1 podcast,')
  const table = (await Bun.file('docs/assistants.md').text()).matchAll(/^\| `(\w+)` +\|/gm)
  expect([...table].map(([, name]) => name!)).toEqual([...reading, ...changing])
})

test('a passage is as long as one answer may be, as text and as data, and says where it goes on', async () => {
  await using library = await startWithAssistant('reads')
  const { assistant, episodes } = library
  // Hardly a word each, under long names.
  const many = Array.from({ length: 3000 }, (_, at) => ({
    startMs: at * 1000,
    endMs: at * 1000 + 999,
    speaker: (at % 2 ? 'Jon ' : 'Mara ').repeat(40),
    text: 'Yes.',
  }))
  await speak(library, episodes[0]!, many)
  const { text, data } = await assistant.call('read_transcript', { episode_id: episodes[0], after: 3600 })
  expect(Math.max(text.length, JSON.stringify(data).length)).toBeLessThan(30_000)
  expect(text.match(/Yes\./g)).toHaveLength(data.segments.length)
  expect(data.continues_at).toBe(data.segments.length)
  const { data: rest } = await assistant.call('read_transcript', {
    episode_id: episodes[0],
    at: data.continues_at,
    before: 0,
  })
  expect(rest.segments[0].start).toBe(data.continues_at)
})

test('an assistant sees podcasts, what is new, one episode with its notes, and the lists of its person', async () => {
  await using library = await startWithAssistant('reads')
  const { assistant, anna, podcast, episodes, server } = library
  const [one, two, three] = episodes as [string, string, string]
  await anna.podcasts.favour(podcast, true)
  await anna.playback.save({
    podcastEpisodeId: server.context.store.episodes.require(server.context.admin, one).eid,
    time: 1,
  })
  await anna.queue.add({ episode: two })
  await anna.client.post('/bookmarks', { episode: one, time: 1, note: 'The lamp' })

  expect((await assistant.call('list_podcasts', { favourites_only: true })).data).toMatchObject({
    total: 1,
    podcasts: [{ id: podcast, title: 'Fog & Lamps', episodes: 3, unplayed: 3, favourite: true }],
  })
  const first = await assistant.call('list_episodes', { since: '2026-01-01', limit: 2 })
  expect(first.data.episodes).toMatchObject([{ id: three }, { id: two }])
  const rest = await assistant.call('list_episodes', { since: '2026-01-01', limit: 2, cursor: first.data.next_cursor })
  expect(rest.data).toMatchObject({ episodes: [{ id: one, state: 'begun', position: 1 }], next_cursor: null })
  const span = { podcast_id: podcast, since: '2026-01-02', until: '2026-01-02' }
  expect((await assistant.call('list_episodes', span)).data.episodes).toMatchObject([{ id: two }])

  const shown = await assistant.call('get_episode', { episode_id: one })
  expect(shown.data).toMatchObject({ title: 'One', podcast_id: podcast, has_transcript: false, chapters: [] })
  expect((await assistant.call('my_episodes', { list: 'queue' })).data.episodes).toMatchObject([{ id: two }])
  expect((await assistant.call('my_episodes', { list: 'in-progress' })).data.episodes).toMatchObject([{ id: one }])
  expect((await assistant.call('my_episodes', { list: 'bookmarked' })).text).toContain('bookmark at 0:01: The lamp')
  expect((await assistant.call('listening_statistics')).data).toMatchObject({
    seconds: 1,
    episodes: 1,
    podcasts: [{ id: podcast, title: 'Fog & Lamps', seconds: 1 }],
  })
})

test('an assistant that may change changes the queue and marks, for its person alone', async () => {
  await using library = await startWithAssistant('changes')
  const { assistant, anna, root, episodes } = library
  const [one, two, three] = episodes as [string, string, string]
  expect(await assistant.names()).toEqual([...reading, ...changing])
  const queued = async () => (await anna.queue.find()).items.map(({ podcastEpisode }) => podcastEpisode.id)

  await assistant.call('change_queue', { action: 'add-last', episode_ids: [one, two] })
  await assistant.call('change_queue', { action: 'add-next', episode_ids: [three] })
  expect(await queued()).toEqual([three, one, two])
  const removed = await assistant.call('change_queue', { action: 'remove', episode_ids: [one] })
  expect(removed.data).toMatchObject({ total: 2, episodes: [{ id: three }, { id: two }] })

  expect((await assistant.call('mark_episodes', { as: 'played', episode_ids: [two] })).data).toEqual({ changed: 1 })
  expect(await queued()).toEqual([three])
  await assistant.call('mark_episodes', { as: 'liked', episode_ids: [one] })
  expect((await assistant.call('my_episodes', { list: 'liked' })).data.episodes).toMatchObject([{ id: one }])
  await assistant.call('mark_episodes', { as: 'unplayed', episode_ids: [two] })
  expect((await assistant.call('get_episode', { episode_id: two })).data).toMatchObject({ state: 'unplayed' })
  expect((await root.queue.find()).items).toEqual([])

  const halves = await assistant.call('change_queue', { action: 'add-last', episode_ids: [one, 'nobody'] })
  expect(halves).toMatchObject({ isError: true, text: expect.stringContaining('nobody') })
  expect(await queued()).toEqual([three])
})

test('a key that only reads sees no tool that changes, and can call none', async () => {
  await using library = await startWithAssistant('reads')
  const { assistant, anna, episodes } = library
  expect(await assistant.names()).toEqual(reading)
  const refused = await assistant.call('change_queue', { action: 'add-last', episode_ids: [episodes[0]] })
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('only reads') })
  const marked = await assistant.call('mark_episodes', { as: 'liked', episode_ids: [episodes[0]] })
  expect(marked.isError).toBe(true)
  expect((await anna.queue.find()).items).toEqual([])
})

test('what its person may not see does not exist for an assistant', async () => {
  await using library = await startWithAssistant('changes')
  const { assistant, hidden, secret } = library
  for (const [name, args] of [
    ['get_episode', { episode_id: secret }],
    ['read_transcript', { episode_id: secret }],
    ['search', { query: 'secret', podcast_id: hidden }],
    ['list_episodes', { podcast_id: hidden }],
    ['change_queue', { action: 'add-last', episode_ids: [secret] }],
    ['mark_episodes', { as: 'liked', episode_ids: [secret] }],
  ] as const)
    expect(await assistant.call(name, args)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/There is no/),
    })
  expect((await assistant.call('search', { query: 'secret' })).data).toMatchObject({ episodes: [], podcasts: [] })
  expect((await assistant.call('list_podcasts')).text).not.toContain('Hidden')
  expect((await assistant.call('list_episodes', { since: '2020-01-01' })).text).not.toContain('Secret')
})

test('a wrong argument is answered with what is wrong and what there is', async () => {
  await using library = await startWithAssistant('reads')
  const { assistant } = library
  const answers = await Promise.all([
    assistant.call('search', { words: 'fog' }),
    assistant.call('search', { query: 'fog', limit: 1000 }),
    assistant.call('list_episodes', { since: 'yesterday' }),
    assistant.call('list_podcasts', { tag: 'None' }),
    assistant.call('search', { query: 'fog', cursor: 'x' }),
    assistant.call('my_episodes', { list: 'in_progress' }),
    assistant.call('search', { query: 'fog', in: ['texts'] }),
  ])
  expect(answers.map(({ isError }) => isError)).toEqual(answers.map(() => true))
  expect(answers[0]!.text).toMatch(/^query: .*words: .* The arguments are: query, in, podcast_id/)
  expect(answers[1]!.text).toMatch(/^limit: .*25/)
  expect(answers[2]!.text).toMatch(/^since: an instant .*, or a day such as/)
  expect(answers[5]!.text).toStartWith('list: one of queue, in-progress, history, liked, bookmarked, downloaded.')
  expect(answers[6]!.text).toStartWith('in/0: one of titles, notes, chapters, transcripts.')
  expect(answers[3]!.text).toBe('There is no such tag')
  await expect(assistant.call('delete_everything')).rejects.toThrow('There is no tool delete_everything')
})
