import type { Episode, EpisodeWrapper } from '../../../src/shared/api/episode'
import type { Podcast } from '../../../src/shared/api/podcast'
import type { Queue } from '../../../src/shared/api/queue'
import { addClip } from '../../support/add-clip'
import type { TestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { plantHook } from '../../support/destinations'
import { startFeedHost } from '../../support/feed-host'
import { arrive, type WayIn } from '../../support/modes'
import { beginLoginFlow } from '../../support/podcast-app'
import { besidesHeader, passkeyRow, visitor } from '../../support/sessions'

/** Plants a podcast for everybody, and one of each thing that can be alice's own. */
export async function plant(app: TestApp, way: WayIn | null) {
  const host = startFeedHost()
  app.prefill(0)
  const root = callsAs(app, way ? (await arrive(app, way, 'root')).headers : {})
  const items = [{ guid: 'one', enclosure: host.file('/one.mp3', silentMp3(3)) }]
  const rssFeedUrl = host.feed('/feed.xml', rss({ items }))
  const podcast = await root<Podcast>('POST', '/api/v1/podcasts/feed', { rssFeedUrl })
  const [first] = await root<EpisodeWrapper[]>('GET', `/api/v1/podcasts/${podcast.id}/episodes`)
  const episode = first!.podcastEpisode
  const alice = way ? await arrive(app, way, 'alice') : { headers: {}, row: (await app.signUp('alice')).row }
  const feedKey = app.context.feedKeys.of(alice.row)
  const values: Record<string, string> = {
    podcast: podcast.id,
    episode: episode.id,
    eid: episode.episode_id,
    feed: host.feed('/another.xml', rss({ title: 'Another' })),
    invite: app.context.invites.create('user', false).id,
    key: feedKey,
    device: 'the-device-of-alice',
  }
  // In open mode there is no alice: these exist for nobody.
  const own = [
    'tag',
    'playlist',
    'bookmark',
    'mark',
    'item',
    'queue',
    'job',
    'move',
    'notification',
    'destination',
    'password',
    'session',
    'browser',
    'passkey',
    'clip',
  ]
  for (const name of own) values[name] = 'none'
  if (way) Object.assign(values, await plantForAlice(app, alice, episode))
  const secrets = ['tag', 'playlist', 'device', 'filter', 'note', 'app', 'car', 'notice', 'queue', 'hook'].map(
    name => `the-${name}-of-alice`,
  )
  return { host, values, secrets: [...secrets, feedKey, alice.row.uuid], alice: alice.headers }
}

/** Makes JSON calls with these headers; the caller names the type of the answer. */
const callsAs =
  (app: TestApp, headers: Record<string, string>) =>
  async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const init = { method, headers: { ...headers, 'Content-Type': 'application/json' } }
    const answer = await app.fetch(path, { ...init, ...(body !== undefined && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return (answer.status === 204 ? null : await answer.json()) as Answer
  }

/** A move from another program that has come to its end. */
function endMove({ context: { store } }: TestApp, user_id: number): string {
  const more = { source: 'gpodder', file_name: 'Database', own_name: null, authority: 'self', with_users: 0 } as const
  const { id, uuid } = store.moves.add({ uuid: crypto.randomUUID(), user_id, ...more }, [], 1)
  store.moves.setState(id, 'done', null, 1)
  return uuid
}

/** Plants what belongs to alice, and gives the ids. */
async function plantForAlice(app: TestApp, alice: Awaited<ReturnType<typeof arrive>>, episode: Episode) {
  const { store, sync, appPasswords, appSessions, sessions } = app.context
  const hers = callsAs(app, alice.headers)
  type Made = { id: string }
  const tag = await hers<Made>('POST', '/api/v1/tags', { name: 'the-tag-of-alice', color: 'Green' })
  const list = { name: 'the-playlist-of-alice', items: [{ episode: episode.id }] }
  const playlist = await hers<Made>('POST', '/api/v1/playlist', list)
  const note = { episode: episode.id, time: 5, note: 'the-note-of-alice' }
  const bookmark = await hers<Made>('POST', '/api/v1/bookmarks', note)
  const mark = await hers<Made>('POST', '/api/v1/skip-marks', { episode: episode.id, start: 5, end: 9, skip: true })
  await hers('PUT', '/api/v1/queue/name', { name: 'the-queue-of-alice' })
  await hers('POST', '/api/v1/queues', { name: 'Other' })
  await hers('POST', '/api/v1/queue/items', { episode: episode.id })
  const queue = await hers<Queue>('GET', '/api/v1/queue')
  const progress = { podcastEpisodeId: episode.episode_id, time: 7, device: 'the-device-of-alice' }
  await hers('POST', '/api/v1/podcasts/episode', progress)
  const filter = { title: 'the-filter-of-alice', ascending: true, filter: 'TITLE', only_favored: false }
  await hers('PUT', '/api/v1/podcasts/filter', filter)
  sync.saveDevice(alice.row, 'the-device-of-alice', {})
  appPasswords.grant((await beginLoginFlow(app, 'the-app-of-alice')).id, alice.row)
  const car = {
    app_password_id: null,
    apiKey: null,
    provider_session: null,
    name: 'the-car-of-alice',
    last_address: '192.0.2.1',
  }
  appSessions.start(alice.row, car)
  const { id: userId } = alice.row
  sessions.start(alice.row, null, { ...besidesHeader, visitor: { ...visitor, device: 'the-car-of-alice' } })
  const browser = store.sessions.list(userId, app.context.now()).find(({ kind }) => kind === 'browser')!
  const row = store.episodes.findByEid(episode.episode_id)!
  const notice = {
    userId,
    type: 'Download',
    podcastId: row.podcast_id,
    podcastTitle: 'the-notice-of-alice',
    batch: 1,
    episodeCount: 1,
    episodeId: row.id,
    episodeTitle: 'the-notice-of-alice',
  } as const
  store.notifications.add(notice, 1)
  const destination = plantHook(app, userId, 'the-hook-of-alice')
  const [notification] = await hers<Made[]>('GET', '/api/v1/notifications/unread')
  return {
    tag: tag.id,
    playlist: playlist.id,
    bookmark: bookmark.id,
    mark: mark.id,
    item: String(queue.items[0]!.id),
    queue: queue.others[0]!.id,
    job: store.jobs.add(userId, 'opml', [], 1).uuid,
    move: endMove(app, userId),
    notification: notification!.id,
    destination,
    password: store.appPasswords.list(userId)[0]!.uuid,
    session: store.appSessions.list(userId)[0]!.uuid,
    browser: browser.uuid,
    passkey: store.passkeys.add(userId, passkeyRow('alice'), 1).uuid,
    clip: addClip(app, userId, row.id),
  }
}
