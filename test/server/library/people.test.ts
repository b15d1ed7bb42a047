import { expect, test } from 'bun:test'
import type { EpisodeWrapper } from '../../../src/shared/api/episode'
import type { PersonListed, PersonPage } from '../../../src/shared/api/search'
import { refusal, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { rss, type ItemSpec } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const person = (name: string, img = '') => `<podcast:person${img && ` img="${img}"`}>${name}</podcast:person>`
const items: ItemSpec[] = [
  { title: 'Newest', extra: person('Jonas Weil') },
  { title: 'Middle', extra: person('Ångström') + person('jonas weil') },
  { title: 'Oldest', extra: person('Jonas Weil', '/jonas.png') + person('Ada & Co') },
]

async function plant(app: TestApp) {
  const host = startFeedHost()
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const write = (of: readonly ItemSpec[], extra = person('Mara Field')) =>
    host.feed('/feed.xml', rss({ title: 'Lighthouse', extra, items: [...of] }))
  const podcast = await root.podcasts.add(write(items))
  const { client } = root
  return {
    host,
    root,
    podcast,
    write,
    all: (query = {}) => client.get<PersonListed[]>('/people', query),
    named: (name: string) => client.get<PersonPage>('/people/named', { name }),
    episodes: (name: string, cursor: string | null = null) =>
      client.page<EpisodeWrapper[]>('/people/named/episodes', { name, cursor, limit: 1 }),
    check: () => app.context.refresh.refresh(app.context.store.podcasts.allIds()[0]!),
  }
}
const names = (people: readonly { name: string }[]) => people.map(({ name }) => name)
const titles = (episodes: readonly EpisodeWrapper[]) => episodes.map(({ podcastEpisode }) => podcastEpisode.name)

test('everybody is listed by name, told apart by it, and leads to podcasts and episodes, the newest first', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, all, named, episodes, podcast } = await plant(app)
  using _ = host
  const people = await all()
  expect(names(people)).toEqual(['Ada & Co', 'Jonas Weil', 'Mara Field', 'Ångström'])
  expect(people[1]).toMatchObject({ episodes: 3, podcasts: 0, picture: expect.stringContaining('/persons/0?size=128') })
  expect(people[2]).toMatchObject({ episodes: 0, podcasts: 1, picture: null })
  expect(names(await all({ after: 'jonas weil', limit: 1 }))).toEqual(['Mara Field'])
  expect(await named('mara field')).toMatchObject({
    name: 'Mara Field',
    takesPartIn: [{ id: podcast.id, name: 'Lighthouse' }],
  })
  const first = await episodes('Jonas Weil')
  const second = await episodes('Jonas Weil', first.nextCursor)
  const third = await episodes('Jonas Weil', second.nextCursor)
  expect([first, second, third].map(({ data }) => titles(data))).toEqual([['Newest'], ['Middle'], ['Oldest']])
  expect(third.nextCursor).toBeNull()
})

test('any place among the episodes of a person can be read, and all of them acted on', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, root, named, episodes } = await plant(app)
  using _ = host
  expect((await named('Jonas Weil')).episodes).toBe(3)
  const at = (offset: number) =>
    root.client.get<EpisodeWrapper[]>('/people/named/episodes', { name: 'Jonas Weil', offset, limit: 2 })
  expect([titles(await at(1)), titles(await at(3))]).toEqual([['Middle', 'Oldest'], []])
  const { data } = await episodes('Jonas Weil')
  const except = [data[0]!.podcastEpisode.id]
  expect(await root.episodes.batch.mark({ person: 'jonas weil', except }, true)).toMatchObject({ affected: 2 })
  expect(await refusal(root.episodes.batch.mark({ person: 'Nobody' }, true))).toMatchObject({ status: 404 })
})

test('people are found by the beginnings of their names, without accents, in the search and on their page', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, root, all } = await plant(app)
  using _ = host
  expect(names(await all({ q: 'ang' }))).toEqual(['Ångström'])
  expect(names(await all({ q: 'wei jon' }))).toEqual([])
  expect(names(await all({ q: 'weil jon' }))).toEqual(['Jonas Weil'])
  const pages = [await all({ q: 'm', limit: 1 }), await all({ q: 'a', after: 'Ada & Co' })]
  expect(pages.map(names)).toEqual([['Mara Field'], ['Ångström']])
  expect(names(await all({ q: '"*(' }))).toEqual([])
  const { data } = await root.search.find({ q: 'mara' }, null)
  expect(names(data.people)).toEqual(['Mara Field'])
  expect((await root.search.find({ q: 'mara', in: 'titles' }, null)).data.people).toEqual([])
})

test('people follow their feeds: an edit, a removal and a podcast that goes away', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, root, podcast, all, episodes, write, check } = await plant(app)
  using _ = host
  write([{ ...items[0]!, extra: person('Ida') }, { ...items[1]!, extra: '' }, items[2]!], '')
  await check()
  expect(names(await all())).toEqual(['Ada & Co', 'Ida', 'Jonas Weil'])
  expect(titles((await episodes('Jonas Weil')).data)).toEqual(['Oldest'])
  await root.podcasts.remove(podcast.id, false)
  expect(await all()).toEqual([])
})

test('people of explicit podcasts and episodes are hidden from those who may not see these', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { host, root } = await plant(app)
  using _ = host
  const explicit = '<itunes:explicit>yes</itunes:explicit>'
  await root.podcasts.add(
    host.feed(
      '/other.xml',
      rss({ title: 'Other', extra: explicit + person('Eve'), items: [{ guid: 'x', extra: person('Jonas Weil') }] }),
    ),
  )
  const alice = await app.signUp('alice')
  const seen = async (client: typeof alice.client) => names(await client.get<PersonListed[]>('/people'))
  const before = await seen(alice.client)
  expect([before.includes('Eve'), before.includes('Jonas Weil')]).toEqual([false, true])
  expect(await refusal(alice.client.get('/people/named', { name: 'Eve' }))).toMatchObject({ status: 404 })
  expect((await alice.client.get<EpisodeWrapper[]>('/people/named/episodes', { name: 'Jonas Weil' })).length).toBe(3)
})
