import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { createTasks } from '../../../src/server/tasks'
import { startTestApp, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

/** Every query that `work` makes, as it is given to the database. */
async function queriesOf(work: () => Promise<unknown>): Promise<string[]> {
  const asked = new Set<string>()
  const query = Database.prototype.query
  Database.prototype.query = function (this: Database, sql: string) {
    asked.add(sql)
    return query.call(this, sql)
  } as typeof query
  await work().finally(() => (Database.prototype.query = query))
  return [...asked]
}

const lists = [
  '/podcasts',
  '/podcasts/search?title=x&tag={tag}',
  '/podcasts/favored',
  '/podcasts/{podcast}',
  '/podcasts/timeline',
  '/podcasts/timeline?favoredOnly=true',
  '/podcasts/timeline?favoredEpisodes=true',
  '/podcasts/timeline?notListened=true',
  '/podcasts/timeline?lastTimestamp=2026-01-01T00:00:00.000Z',
  '/podcasts/timeline?undatedLast=true&tz=Europe/Copenhagen',
  '/podcasts/timeline?undatedLast=true&cursor=MS4x',
  '/podcasts/timeline?undatedLast=true&downloaded=true&shorterThan=1800&tag={tag}',
  '/episodes/yours',
  ...['liked', 'bookmarked', 'in-progress', 'downloaded', 'history'].flatMap(list => [
    `/episodes/yours/${list}`,
    `/episodes/yours/${list}?cursor=MS4x`,
  ]),
  '/podcasts/{podcast}/episodes',
  '/podcasts/{podcast}/episodes?order=oldest',
  '/podcasts/{podcast}/episodes?only_unlistened=true',
  '/podcasts/{podcast}/episodes?only_new=true',
  '/podcasts/{podcast}/episodes?downloaded=true',
  '/podcasts/{podcast}/episodes?liked=true',
  '/podcasts/{podcast}/overview',
  '/podcasts/episode/lastwatched',
  '/episodes/{episode}',
  '/search?q=lamp',
  '/search?q=lamp&podcastId={podcast}&downloaded=true&unplayed=true',
  '/transcripts/search?q=lamp',
  '/podcasts/lamp/query',
  '/podcasts/episodes/{episode}/chapters',
  '/podcasts/episodes/{episode}/transcripts',
  '/playlist',
  '/playlist/{playlist}',
  '/playlists?episode={episode}',
  '/queue',
  '/queues',
  '/tags',
  '/bookmarks',
  '/devices',
  '/users/me/appPasswords',
  '/users/me/appSessions',
  '/podcasts/available/gpodder',
  '/bookmarks?episode={episode}',
  '/notifications/unread',
  '/downloads',
  '/jobs',
  '/stats/overview',
]

/** Queries of podcast apps. */
const apps = [
  '/api/2/devices/alice.json',
  '/api/2/favorites/alice.json',
  '/api/2/settings/alice/account.json',
  '/api/2/updates/alice/phone.json?since=0',
  '/api/2/lists/alice.json',
  '/subscriptions/alice.json',
  '/search.json?q=lamp',
  '/toplist/10.json',
]

/** Tables with a row for each episode, or more. */
const large = [
  'e',
  'x',
  'y',
  'h',
  'i',
  'c',
  'd',
  'episode',
  'playback',
  'playlist_item',
  'queue_item',
  'download',
  'notification',
  'listened',
  'chapter',
  'document',
  'cover',
  'b',
  'bookmark',
  'a',
  'episode_action',
  'subscription',
  'k',
  'kept_file',
  'w',
  'new_episode',
]

/** Matches the statement that sorts the ids of a timeline of which a filter leaves little. */
const sortsFew = /^SELECT e\.id FROM (episode_like l|episode e INDEXED BY episode_length|\(SELECT p\.id)/

test('no list looks at a whole table of episodes, and none is sorted anew', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ items: [{}, {}] })))
  const alice = await app.signUp('alice')
  const [item] = (await alice.podcasts.episodes(podcast.id, {}, null)).data
  const episode = item!.podcastEpisode.id
  const tag = await alice.tags.create({ name: 'Tag', color: 'Red' })
  const playlist = await alice.playlists.create({ name: 'List', items: [{ episode }] })
  const values: Record<string, string> = { podcast: podcast.id, episode, tag: tag.id, playlist: playlist.id }

  /** Runs the work of the second thread in this one. */
  async function refreshHere() {
    const { store, now } = app.context
    const id = store.podcasts.allIds()[0]!
    const tasks = createTasks(() => store)
    const body = new TextEncoder().encode(rss({ items: [{}, {}, {}] }))
    const request = {
      body,
      contentType: '',
      contentEncoding: '',
      address: podcast.rssfeed,
      maxBytes: 1e6,
      podcastId: id,
    }
    const read = await tasks.digestFeed(request, 1)
    if (!read.ok) throw new Error(read.reason)
    const validators = { etag: null, lastModified: null, digest: null }
    await tasks.applyDigests({ podcastId: id, digestIds: [read.summary.digestId], validators, now: now() }, 2)
    await tasks.index(null, 3)
    expect(store.episodes.newestMissing(id, 5)).toHaveLength(3)
    expect(store.episodes.idsWithoutFile(app.context.admin, id)).toHaveLength(3)
  }

  const queries = await queriesOf(async () => {
    for (const list of lists) {
      const path = list.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!)
      const { status } = await app.fetch(`/api/v1${path}`, { headers: { Authorization: alice.authorization! } })
      expect(`${list} ${status}`).toBe(`${list} 200`)
    }
    const { sync, store } = app.context
    sync.begin(alice.row)
    const play = {
      podcast: podcast.rssfeed,
      episode: item!.podcastEpisode.url,
      action: 'play',
      device: 'phone',
      position: 5,
    }
    sync.actions.upload(alice.row, [play, { ...play, episode: `${play.episode}/`, guid: 'another', position: 6 }])
    sync.actions.notePositions(alice.row.id, [store.episodes.findByEid(item!.podcastEpisode.episode_id)!.id])
    for (const isAggregated of [true, false]) sync.actions.since(alice.row, { since: 0, isAggregated })
    store.sync.actions(alice.row.id, { since: 0, page: { after: { received_at: 1, id: 1 }, limit: 1 } })
    sync.subscriptions.change(
      alice.row,
      { device: 'phone', base: null },
      { add: ['https://feeds.example/'], remove: [] },
    )
    sync.subscriptions.since(alice.row, 0)
    sync.actions.catchUp(store.podcasts.allIds()[0]!)
    for (const path of apps) {
      const { status } = await app.fetch(path, { headers: { Authorization: alice.authorization! } })
      expect(`${path} ${status}`).toBe(`${path} 200`)
    }
    await app.context.texts.fetchDue()
    app.context.downloads.pump()
    await refreshHere()
  })
  const offences = queries
    .filter(sql => /^\s*(SELECT|WITH)/i.test(sql))
    .flatMap(sql => {
      const plan = app.context.store.explain(sql.replace(/\$\w+|\?\d*/g, '1'))
      const scanned = plan.filter(line => large.some(table => line === `SCAN ${table}`))
      const sorted = sortsFew.test(sql) ? [] : plan.filter(line => line.includes('TEMP B-TREE FOR ORDER BY'))
      return [...scanned, ...sorted].map(line => `${line}: ${sql.replace(/\s+/g, ' ').slice(0, 2000)}`)
    })
  expect(offences).toEqual([])
})
