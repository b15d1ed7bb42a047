import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Playlist, SmartRule, SmartRules } from '../../../src/shared/api/playlist'
import { DAY } from '../../../src/server/platform/clock'
import { startClock, startTestApp, withPasswords } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { unzip } from '../../support/unzip'

const byRules = (rules: readonly SmartRule[], more: Partial<SmartRules> = {}): SmartRules => ({
  match: 'all',
  rules: [...rules],
  order: 'newest',
  limit: 50,
  keepDownloaded: 0,
  ...more,
})
const unplayed: SmartRule = { field: 'played', is: 'unplayed' }
const named = (items: readonly { podcastEpisode: { name: string } }[]) =>
  items.map(({ podcastEpisode }) => podcastEpisode.name)

/** A podcast of five episodes, a day after each other, and two people beside the admin. */
async function startWorld() {
  const host = startFeedHost()
  const now = startClock()
  const app = await startTestApp({ env: withPasswords, now })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const items = ['One', 'Two', 'Three', 'Four', 'Five'].map((title, index) => ({
    title,
    guid: title,
    date: new Date(now() - (5 - index) * DAY).toUTCString(),
    enclosure: host.file(`/${title}.mp3`, silentMp3(2)),
  }))
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ title: 'Fog', items })))
  await app.context.indexer.run()
  const [alice, bob] = [await app.signUp('alice'), await app.signUp('bob')]
  const episodes = (await alice.podcasts.episodes(podcast.id, {}, null)).data
  const find = (name: string) => episodes.find(({ podcastEpisode }) => podcastEpisode.name === name)!.podcastEpisode
  const close = async () => {
    await app[Symbol.asyncDispose]()
    host.stop()
  }
  return { host, now, app, root, alice, bob, podcast, find, [Symbol.asyncDispose]: close }
}

test('a playlist with rules fills itself, and follows what its user does', async () => {
  await using world = await startWorld()
  const { alice, bob, find } = world
  const made = await alice.playlists.create({ name: 'Fresh', items: [], rules: byRules([unplayed], { limit: 3 }) })
  expect(named(made.items)).toEqual(['Five', 'Four', 'Three'])
  expect(made.rules).toEqual(byRules([unplayed], { limit: 3 }))

  await alice.playback.save({ podcastEpisodeId: find('Four').episode_id, time: 5 })
  expect(named((await alice.playlists.find(made.id)).items)).toEqual(['Five', 'Three', 'Two'])
  expect(await bob.playlists.list()).toEqual([])
  await expect(bob.playlists.find(made.id)).rejects.toMatchObject({ code: 'playlist-not-found' })

  const rules = byRules([{ field: 'title', op: 'contains', words: 'ÓNE' }])
  expect(named((await alice.playlists.replace(made.id, { name: 'One', items: [], rules })).items)).toEqual(['One'])
})

test('the list of playlists tells how many episodes each has and which podcasts picture it, and carries none', async () => {
  await using world = await startWorld()
  const { alice, bob, root, find, host } = world
  const items = ['Rope', 'Lamp', 'Knife'].map(title => ({ title, guid: title, duration: '60' }))
  const hidden = { ...items[2]!, extra: '<itunes:explicit>true</itunes:explicit>' }
  const feed = rss({ title: 'Tools', items: [items[0]!, items[1]!, hidden] })
  const tools = await root.podcasts.add(host.feed('/tools.xml', feed))
  const rows = (await root.podcasts.episodes(tools.id, {}, null)).data
  await root.users.change('alice', { explicitConsent: true })
  const chosen = await alice.playlists.create({
    name: 'Chosen',
    items: [find('One'), ...rows.map(row => row.podcastEpisode)].map(({ id }) => ({ episode: id })),
  })
  await root.users.change('alice', { explicitConsent: false })
  const first = find('One').podcast_id
  const rules = byRules([{ field: 'podcast', op: 'is', podcasts: [tools.id] }])
  const fresh = await alice.playlists.create({ name: 'Fresh', items: [], rules })
  expect(await alice.playlists.list()).toEqual([
    {
      id: chosen.id,
      name: 'Chosen',
      rules: null,
      episodes: 3,
      seconds: 120,
      podcasts: [first, tools.id],
      playedAt: null,
      holds: false,
    },
    {
      id: fresh.id,
      name: 'Fresh',
      rules,
      episodes: 2,
      seconds: 120,
      podcasts: [tools.id],
      playedAt: null,
      holds: false,
    },
  ])
  const holding = async (name: string) => (await alice.playlists.listChosen(find(name).id)).map(({ holds }) => holds)
  expect([await holding('One'), await holding('Two')]).toEqual([[true], [false]])
  await expect(alice.playlists.listChosen('nothing')).rejects.toMatchObject({ code: 'episode-not-found' })
  expect(await bob.playlists.list()).toEqual([])
})

test('the list with episodes leaves those of rules to the playlist itself', async () => {
  await using world = await startWorld()
  const { alice, find } = world
  await alice.playlists.create({ name: 'Chosen', items: [{ episode: find('One').id }] })
  await alice.playlists.create({ name: 'Fresh', items: [], rules: byRules([unplayed]) })
  const listed = await alice.client.get<Playlist[]>('/playlist')
  expect(listed.map(({ name, items }) => [name, named(items)])).toEqual([
    ['Chosen', ['One']],
    ['Fresh', []],
  ])
})

test('rules about age follow the clock', async () => {
  await using world = await startWorld()
  const { alice, now } = world
  const rules = byRules([{ field: 'age', op: 'within', days: 2 }], { order: 'oldest' })
  const { id } = await alice.playlists.create({ name: 'Of late', items: [], rules })
  expect(named((await alice.playlists.find(id)).items)).toEqual(['Four', 'Five'])
  now.advance(DAY)
  expect(named((await alice.playlists.find(id)).items)).toEqual(['Five'])
})

test('a preview holds what the playlist would hold, and makes none', async () => {
  await using world = await startWorld()
  const { alice } = world
  const rules = byRules([{ field: 'title', op: 'lacks', words: 'three' }], { order: 'oldest', limit: 3 })
  const preview = await alice.playlists.preview(rules)
  expect([preview.count, named(preview.items)]).toEqual([3, ['One', 'Two', 'Four']])
  expect(await alice.playlists.list()).toEqual([])
  await expect(
    alice.playlists.preview(byRules([{ field: 'title', op: 'contains', words: '!?' }])),
  ).rejects.toMatchObject({ code: 'invalid-field' })
})

test('the episodes of a playlist with rules cannot be changed by hand, nor can a chosen one get rules', async () => {
  await using world = await startWorld()
  const { alice, find } = world
  const rules = byRules([unplayed])
  const { id } = await alice.playlists.create({ name: 'Fresh', items: [], rules })
  const episode = find('One').id
  const refused = { status: 409, code: 'playlist-fills-itself' }
  await expect(alice.playlists.replace(id, { name: 'Mine', items: [{ episode }] })).rejects.toMatchObject(refused)
  await expect(alice.playlists.replace(id, { name: 'Mine', items: [] })).rejects.toMatchObject(refused)
  await expect(alice.playlists.removeItem(id, episode)).rejects.toMatchObject(refused)
  const both = { name: 'Both', items: [{ episode }], rules }
  await expect(alice.playlists.create(both)).rejects.toMatchObject({ code: 'invalid-field' })
  expect(await alice.playlists.find(id)).toMatchObject({ name: 'Fresh', rules })

  const chosen = await alice.playlists.create({ name: 'Chosen', items: [{ episode }] })
  expect(chosen.rules).toBeNull()
  const change = alice.playlists.replace(chosen.id, { name: 'Chosen', items: [], rules })
  await expect(change).rejects.toMatchObject({ code: 'invalid-field' })
  expect(named((await alice.playlists.find(chosen.id)).items)).toEqual(['One'])
})

test('a rule matches nothing once all that it names is gone, and what is left of it otherwise', async () => {
  await using world = await startWorld()
  const { alice, bob, podcast } = world
  const [sea, news] = [
    await alice.tags.create({ name: 'Sea', color: 'Red' }),
    await alice.tags.create({ name: 'News', color: 'Red' }),
  ]
  const hers = await bob.tags.create({ name: 'Hers', color: 'Red' })
  await alice.tags.assign(sea.id, podcast.id)
  const rule = (tags: string[], op: 'is' | 'is-not' = 'is') => byRules([{ field: 'tag', op, tags }])
  const count = async (rules: SmartRules) => (await alice.playlists.preview(rules)).count
  expect(await count(rule([sea.id, news.id]))).toBe(5)
  expect(await count(rule([hers.id]))).toBe(0)
  expect(await count(rule([hers.id], 'is-not'))).toBe(0)
  const { id } = await alice.playlists.create({ name: 'At sea', items: [], rules: rule([sea.id, news.id]) })
  await alice.tags.remove(news.id)
  expect((await alice.playlists.find(id)).items).toHaveLength(5)
  await alice.tags.remove(sea.id)
  expect(await alice.playlists.find(id)).toMatchObject({ items: [], rules: rule([sea.id, news.id]) })
  expect(await count(byRules([{ field: 'podcast', op: 'is', podcasts: ['gone'] }]))).toBe(0)
})

test('rules are bounded, and so is the number of playlists that have some', async () => {
  await using world = await startWorld()
  const { alice } = world
  const create = (name: string, rules: SmartRules) => alice.playlists.create({ name, items: [], rules })
  const refused = { status: 422, code: 'invalid-field' }
  for (const rules of [
    byRules(Array.from({ length: 13 }, () => unplayed)),
    byRules([], { limit: 501 }),
    byRules([{ field: 'title', op: 'contains', words: 'x'.repeat(101) }]),
    byRules([{ field: 'podcast', op: 'is', podcasts: [] }]),
    byRules([{ field: 'age', op: 'within', days: 0 }]),
    byRules([{ field: 'what', is: 1 } as never]),
  ])
    await expect(create('Too much', rules)).rejects.toMatchObject(refused)
  for (let number = 1; number <= 30; number++) await create(`List ${number}`, byRules([unplayed]))
  await expect(create('One more', byRules([unplayed]))).rejects.toMatchObject(refused)
})

test('rules that this version cannot read match nothing', async () => {
  await using world = await startWorld()
  const { alice, app } = world
  const { id } = await alice.playlists.create({ name: 'Later', items: [], rules: byRules([unplayed]) })
  const row = app.context.store.playlists.require(alice.row.id, id)
  app.context.store.playlists.setRules(row.id, '{"match":"most","rules":[]}')
  expect(await alice.playlists.find(id)).toMatchObject({ items: [], rules: { match: 'any', rules: [] } })
})

test('a private feed and an archive hold what the playlist holds now', async () => {
  await using world = await startWorld()
  const { alice, app } = world
  const { id } = await alice.playlists.create({ name: 'Fresh', items: [], rules: byRules([unplayed], { limit: 2 }) })
  const headers = { Authorization: alice.authorization! }
  const feed = await (await app.fetch(`/rss/playlist/${id}`, { headers })).text()
  expect([...feed.matchAll(/<title>(\w+)<\/title>/g)].map(([, title]) => title)).toEqual([
    'Fresh',
    'Fresh',
    'Five',
    'Four',
  ])
  const user = app.context.store.users.find(alice.row.id)!
  const archive = app.context.movingOut.archiveFor(user, { withFiles: false, withPasswords: false })
  const path = join(app.folder, 'archive.zip')
  await Bun.write(path, Buffer.concat(await Array.fromAsync(archive)))
  const list = (await unzip(path)).get('playlists/Fresh.m3u8')!.toString()
  expect(list.match(/Fog – \w+/g)).toEqual(['Fog – Five', 'Fog – Four'])
})

test('while titles are indexed, nothing is downloaded or deleted for words in them', async () => {
  await using world = await startWorld()
  const { root, app, find } = world
  const { keptDownloads, store, downloads } = app.context
  const rules = byRules([{ field: 'title', op: 'contains', words: 'five' }], { keepDownloaded: 2 })
  await root.playlists.create({ name: 'Kept', items: [], rules })
  store.health.emptyIndex()
  await keptDownloads.queueMissing()
  const { id } = store.episodes.findByEid(find('Five').episode_id)!
  expect([store.downloads.findOfEpisode(id), keptDownloads.ids(), app.context.retention.due()]).toEqual([
    null,
    null,
    [],
  ])

  await app.context.indexer.run()
  await keptDownloads.queueMissing()
  await downloads.settled()
  await app.context.indexer.run()
  expect([store.episodes.find(id)!.file_path !== null, keptDownloads.ids()]).toEqual([true, [id]])
})

test('the first episodes are downloaded and stay, and what was removed does not come back', async () => {
  await using world = await startWorld()
  const { root, alice, app, now, find } = world
  const rules = byRules([unplayed], { keepDownloaded: 2 })
  const forbidden = alice.playlists.create({ name: 'Kept', items: [], rules })
  await expect(forbidden).rejects.toMatchObject({ status: 403, code: 'not-uploader' })
  const endless = { ...rules, rules: [{ field: 'downloaded', is: false } as const] }
  await expect(root.playlists.create({ name: 'Kept', items: [], rules: endless })).rejects.toMatchObject({
    code: 'invalid-field',
  })

  const { keptDownloads, store, downloads, retention } = app.context
  await root.playlists.create({ name: 'Kept', items: [], rules })
  const here = () =>
    ['One', 'Two', 'Three', 'Four', 'Five'].filter(name => store.episodes.findByEid(find(name).episode_id)!.file_path)
  const work = async () => {
    await keptDownloads.queueMissing()
    await downloads.settled()
  }
  await work()
  expect(here()).toEqual(['Four', 'Five'])

  await downloads.remove(store.episodes.findByEid(find('Five').episode_id)!)
  await work()
  expect(here()).toEqual(['Four'])

  // What leaves the list makes room for the next, and is left to the rules of retention.
  now.advance(400 * DAY)
  expect(retention.due()).toEqual([])
  await root.playback.save({ podcastEpisodeId: find('Four').episode_id, time: 2, total: 2, finished: true })
  await work()
  expect(here()).toEqual(['Three', 'Four'])
  expect(retention.due().map(({ title }) => title)).toEqual(['Four'])
})

test('a download that a person cancels is not queued again', async () => {
  await using world = await startWorld()
  const { root, app, host, find } = world
  host.on('/Five.mp3', () => new Promise<Response>(() => {}))
  await root.playlists.create({ name: 'Kept', items: [], rules: byRules([], { keepDownloaded: 1 }) })
  await app.context.keptDownloads.queueMissing()
  const { id } = app.context.store.episodes.findByEid(find('Five').episode_id)!
  const download = app.context.store.downloads.findOfEpisode(id)!
  await root.downloads.cancel(download.uuid)
  await app.context.keptDownloads.queueMissing()
  expect(app.context.store.downloads.findOfEpisode(id)).toBeNull()
})

test('a download that a person asked for and cancels is not queued by a rule, and one of many that are cancelled is', async () => {
  await using world = await startWorld()
  const { root, app, find, podcast } = world
  const { store, downloads, keptDownloads } = app.context
  await downloads.pauseAll()
  const rowOf = (name: string) => store.downloads.findOfEpisode(store.episodes.findByEid(find(name).episode_id)!.id)
  const { undo } = await root.podcasts.downloadAll(podcast.id)
  await root.podcasts.undoDownloadAll(podcast.id, undo)
  await root.episodes.download(find('Five').episode_id)
  await root.downloads.cancel(rowOf('Five')!.uuid)
  await root.playlists.create({ name: 'Kept', items: [], rules: byRules([], { keepDownloaded: 2 }) })
  await keptDownloads.queueMissing()
  expect([rowOf('Five'), rowOf('Four')?.automatic]).toEqual([null, 1])
  const listed = (await root.podcasts.episodes(podcast.id, {}, null)).data
  expect(listed.map(({ podcastEpisode }) => podcastEpisode.deleted)).toEqual([true, false, false, false, false])

  // Whoever asks again takes that back.
  await root.episodes.download(find('Five').episode_id)
  expect((await root.episodes.find(find('Five').id)).podcastEpisode.deleted).toBe(false)
})

test('rules stored before that ask for what is not downloaded download nothing', async () => {
  await using world = await startWorld()
  const { app, find } = world
  const { store, keptDownloads } = app.context
  const admin = store.users.listAdmins()[0]!
  const rules = byRules([{ field: 'downloaded', is: false }], { keepDownloaded: 2 })
  store.playlists.add(admin.id, 'Missing', 1, JSON.stringify(rules))
  await keptDownloads.queueMissing()
  const ids = ['One', 'Two', 'Three', 'Four', 'Five'].map(name => store.episodes.findByEid(find(name).episode_id)!.id)
  expect(ids.map(id => store.downloads.findOfEpisode(id))).toEqual(ids.map(() => null))
})
