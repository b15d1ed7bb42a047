import { expect, test } from 'bun:test'
import type { Store } from '../../../src/server/store'
import { filled, unhindered } from '../../support/access'
import { basic, goodPassword, startClock, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { addClip } from '../../support/add-clip'
import { signedInApp } from '../../support/audiobookshelf-app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { appOf } from '../../support/podcast-app'

/** Answers that name the moment, or something that is drawn anew each time. */
const volatile = /^GET \/(metrics|api-docs|api\/v1\/sys\/info|api\/v1\/audit)|[sS]essions |download-all /

/** One of them may see explicit content: for the other one, queries differ. */
const people = ['grown', 'child'] as const

/** A library of two podcasts, of which each person has done everything with each episode. */
async function plant(app: TestApp, host: ReturnType<typeof startFeedHost>) {
  app.prefill(0)
  const root = await app.signUp('adder', 'admin')
  const items = (word: string) => [1, 2, 3].map(number => ({ title: `${word} ${number}`, guid: `${word}${number}` }))
  const [ghost, stays] = [
    await root.podcasts.add(host.feed('/1.xml', rss({ title: 'Ghostly', items: items('Ghostly') }))),
    await root.podcasts.add(host.feed('/2.xml', rss({ title: 'Staying', items: items('Staying') }))),
  ]
  const { store, indexer } = app.context
  await indexer.run()
  const known = new Set<string>()
  const rows = new Set<number>()
  for (const { id } of [ghost, stays]) {
    const { data } = await root.podcasts.episodes(id, {}, null)
    const { id: row } = store.episodes.findByEid(data[0]!.podcastEpisode.episode_id)!
    const file = { path: `${id}/1.mp3`, size: 9, type: 'audio/mpeg', now: 1, duration: 60 }
    store.episodes.keepFile(row, file)
  }
  for (const name of people) {
    const one = await app.signUp(name, 'admin')
    app.context.users.change(app.context.users.requireUser(name), { explicitConsent: name === 'grown' })
    const tag = await one.tags.create({ name: 'Both', color: 'Green' })
    const episodes: string[] = []
    for (const { id } of [stays, ghost]) {
      await one.tags.assign(tag.id, id)
      await one.podcasts.favour(id, true)
      const { data } = await one.podcasts.episodes(id, {}, null)
      for (const [index, { podcastEpisode }] of data.entries()) {
        const { id: uuid, episode_id: eid } = podcastEpisode
        const { id: row, podcast_id } = store.episodes.findByEid(eid)!
        episodes.push(uuid)
        for (const value of [uuid, eid]) known.add(value)
        rows.add(row)
        await one.playback.save({ podcastEpisodeId: eid, time: index + 1, device: 'web' })
        if (index === 2) store.playback.markEpisodes(one.row.id, [row], { finished: true, mark: name + row, now: 1 })
        await one.episodes.like(uuid, true)
        await one.client.post('/bookmarks', { episode: uuid, time: 5, note: podcastEpisode.name })
        await one.client.post('/skip-marks', { episode: uuid, start: 5, end: 9, skip: true })
        store.downloads.enqueue(row, { automatic: false, userId: one.row.id, now: 1 })
        const subject = { podcastId: podcast_id, podcastTitle: 'x', episodeId: row, episodeTitle: 'x' }
        store.notifications.add({ userId: one.row.id, type: 'Download', ...subject, batch: row, episodeCount: 1 }, 1)
        // More than a removal deletes at once.
        for (let hour = 1; hour <= 300; hour++) store.listened.add(one.row.id, hour, row, podcast_id, 60)
        known.add(addClip(app, one.row.id, row))
        await one.queue.add({ episode: uuid, at: 'last' })
      }
    }
    await appOf(app, name).subscribe(
      'phone',
      [stays, ghost].map(({ rssfeed }) => rssfeed),
    )
    await one.client.post('/queues', { name: 'Aside' })
    for (const episode of episodes) await one.queue.add({ episode, at: 'last' })
    const list = await one.playlists.create({ name: 'Both', items: episodes.map(episode => ({ episode })) })
    const rules = {
      match: 'all',
      rules: [{ field: 'liked', is: true }],
      order: 'newest',
      limit: 100,
      keepDownloaded: 0,
    }
    const smart = await one.client.post<{ id: string }>('/playlist', { name: 'Rules', items: [], rules })
    for (const { id } of [tag, list, smart]) known.add(id)
  }
  for (const { id } of [ghost, stays]) known.add(id)
  return { ghost: store.podcasts.require(root.row, ghost.id), ids: [...known], rows: [...rows] }
}

/** Calls everything that can be read, as each person and with each id; texts by call. */
async function readEverything(app: TestApp, ids: readonly string[]): Promise<Map<string, string>> {
  const routes = app.app.routes.filter(({ method }) => method === 'GET').map(({ path }) => path)
  expect(routes.length).toBeGreaterThan(90)
  const searches = [
    '/api/v1/search?q=ghostly',
    '/api/v1/podcasts/search?title=ghostly',
    '/api/v1/podcasts/0/ghostly/search',
    '/api/v1/podcasts/episode/query?q=ghostly',
    '/api/v1/podcasts/timeline?notListened=true',
    '/api/v1/podcasts/timeline?favoredOnly=true',
    ...['liked', 'bookmarked', 'in-progress', 'downloaded', 'history'].map(list => `/api/v1/episodes/yours/${list}`),
    ...people.flatMap(name => [
      `/api/2/episodes/${name}.json`,
      `/api/2/favorites/${name}.json`,
      `/api/2/subscriptions/${name}/phone.json?since=0`,
      `/subscriptions/${name}.json`,
      `/subscriptions/${name}.opml`,
    ]),
  ]
  const paths = new Set([
    ...searches,
    ...routes.flatMap(path => (/:(id|eid|file)/.test(path) ? ids.map(id => path.replace(/:(id|eid|file)/, id)) : path)),
  ])
  const found = new Map<string, string>()
  for (const name of people) {
    const abs = await signedInApp(app, name)
    for (const path of paths) {
      const call = `GET ${filled(path)} as ${name}`
      if (volatile.test(call) || /^\/ui|zip|invites|socket|discover|proxy/.test(path)) continue
      const response = await app.fetch(filled(path), { headers: { Authorization: basic(name, goodPassword) } })
      found.set(call, `${response.status} ${await response.text()}`)
      if (!path.startsWith('/api/v1'))
        found.set(`${call} by an app`, await abs.get(filled(path)).then(({ text }) => text))
    }
  }
  return found
}

/** Calls what else is asked of episodes: where apps write, or where another condition would hide the same today. */
function askStore(store: Store, ids: readonly string[], rows: readonly number[]): Map<string, unknown> {
  const found = new Map<string, unknown>()
  for (const id of ids) {
    found.set(`the episode ${id} of an app`, store.sync.findByEid(id))
    found.set(`the episode ${id} of a catalogue`, store.catalogue.episodeIds(id))
  }
  for (const row of rows) found.set(`the episode ${row}`, store.sync.findKnown(row))
  for (const name of people) {
    const user = store.users.findByName(name)!
    found.set(`positions for ${name}`, store.sync.playbackOf(user.id, null))
    found.set(`hours of ${name}`, store.listened.listFor(user, 0, 300))
    found.set(`files by podcast for ${name}`, store.listened.mediaByPodcast(user, 9))
    found.set(`totals for ${name}`, store.catalogue.totals(user))
    found.set(`begun by ${name}`, store.catalogue.begun(user, 9))
    found.set(`finished by ${name}`, store.catalogue.finished(user, 9))
    const list = store.playlists.findByName(user.id, 'Both')!
    found.set(`the playlist of ${name}`, store.playlists.episodeIds(list.id))
  }
  return found
}

test('while what a removed podcast left is deleted, every answer is as if it was gone already', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({
    env: { ...withPasswords, USER_PODCAST_LIMIT: '9' },
    now: startClock(),
    throttleLimits: unhindered,
  })
  const { ghost, ids, rows } = await plant(app, host)
  const { store, removals } = app.context
  const before = await readEverything(app, ids)
  const showed = [...before].filter(([, text]) => /ghost/i.test(text)).map(([call]) => call)
  expect(showed.length).toBeGreaterThan(60)

  const asked = askStore(store, ids, rows)

  store.inRemoval(() => store.removals.remove('podcast', ghost.id, ghost.title))
  const during = await readEverything(app, ids)
  const askedDuring = askStore(store, ids, rows)
  await removals.run()
  expect(store.removals.list()).toEqual([])
  const after = await readEverything(app, ids)
  expect([...during].filter(([call, text]) => after.get(call) !== text)).toEqual([])
  expect(askedDuring).toEqual(askStore(store, ids, rows))
  const changed = [...asked].filter(([call, answer]) => !Bun.deepEquals(askedDuring.get(call), answer))
  expect(changed.length).toBeGreaterThan(20)
  // What phones have reported stays, as they named it.
  const left = [...after].filter(([call, text]) => /ghost/i.test(text) && !call.startsWith('GET /api/2/episodes'))
  expect(left).toEqual([])
})
