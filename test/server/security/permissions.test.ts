import { describe, expect, test } from 'bun:test'
import { appPaths, isForApps } from '../../../src/server/http/apps/gpodder/paths'
import type { Episode, EpisodeWrapper } from '../../../src/shared/api/episode'
import type { Podcast } from '../../../src/shared/api/podcast'
import type { Queue } from '../../../src/shared/api/queue'
import { goodPassword, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { addClip } from '../../support/add-clip'
import { plantHook } from '../../support/destinations'
import { isAudiobookshelf } from '../../support/audiobookshelf-app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { arrive, waysIn, type Mode, type WayIn } from '../../support/modes'
import { beginLoginFlow } from '../../support/podcast-app'
import { besidesHeader, passkeyRow, visitor } from '../../support/sessions'
import { handshake } from '../../support/socket'

/** The table of docs/permissions.md: `METHOD /path` → who may. */
const permissions = new Map(
  [
    ...(await Bun.file('docs/permissions.md').text()).split('\n## ', 1)[0]!.matchAll(/^\| `([A-Z]+ \S+)` +\| (\w+)/gm),
  ].map(([, call, who]) => [call!, who!] as const),
)

const personas = ['stranger', 'user', 'other', 'uploader', 'admin', 'off'] as const
type Persona = (typeof personas)[number] | 'open mode'
const modes = Object.keys(waysIn) as Mode[]

/** Answers to those who may make a call in general: an object of another user looks as if it did not exist. */
const elsewhere = { other: 404, uploader: 404, admin: 404, 'open mode': 404 }

/** A call, and its status for those who may make it: 200 unless `ok` says otherwise, `of` for single personas. */
type Call = { body?: unknown; ok?: number; of?: Partial<Record<Persona, number>>; query?: string }
/** The key in the address is alice's and decides who asks: other credentials are ignored. */
const withKey: Record<string, Call> = Object.fromEntries(
  ['', '/favorites', '/tag/:id', '/playlist/:id', '/:id'].map(path => [
    `GET /rss/apiKey/:key${path}`,
    { of: { stranger: 200, off: 200, ...(/tag|playlist/.test(path) && elsewhere) } },
  ]),
)
const sync = (ok: number): Call => ({ ok, of: { 'open mode': 404 } })
/** Sync has no call of this name: 404 after a sign-in, 401 without. */
const withApps: Record<string, Call> = {
  ...Object.fromEntries(
    appPaths
      .filter(path => path.endsWith('*'))
      .flatMap(path => ['GET', 'POST', 'PUT', 'DELETE'].map(method => [`${method} ${path}`, sync(404)])),
  ),
  ...Object.fromEntries(['json', 'opml', 'txt'].map(format => [`GET /search.${format}`, sync(400)])),
  ...Object.fromEntries(['json', 'opml', 'txt'].map(format => [`GET /toplist.${format}`, sync(200)])),
  'GET /clientconfig.json': sync(200),
}
/** They want the password once more: this one is wrong. Where nobody has one here, there is nothing to prove. */
const unproven: Call = { body: { password: 'Wr0ngOne' }, ok: 403, of: { 'open mode': 409 } }
const calls: Record<string, Call> = {
  ...withApps,
  'GET /': { ok: 302 },
  'GET /ui/assets/:name': { ok: 404 },
  'GET /ui/public/*': { ok: 404 },
  'POST /api/v1/login': {
    body: { username: 'root', password: 'Sup3rSecret' },
    of: { 'open mode': 403 },
  },
  'POST /api/v1/users': { body: { username: 'newcomer', password: goodPassword, inviteId: '{invite}' } },
  'POST /api/v1/session': { body: { remember: true }, ok: 204 },
  'DELETE /api/v1/session': { ok: 204 },
  'PUT /api/v1/settings': { body: { autoCleanupDays: 31 } },
  'PUT /api/v1/settings/name': { body: { directPaths: false } },
  'POST /api/v1/settings/naming/preview': { body: {} },
  'POST /api/v1/settings/rescan-episodes': { body: {}, ok: 202 },
  'POST /api/v1/episodes/formatting': { body: { content: '{title}' } },
  'POST /api/v1/podcasts/formatting': { body: { content: '{title}' } },
  'PUT /api/v1/podcasts/:id/settings': { body: { skipTrailers: false } },
  'PUT /api/v1/podcasts/:id/feed': { body: { rssFeedUrl: 'http://127.0.0.1:9/' }, ok: 502 },
  'PUT /api/v1/podcasts/:id/preferences': { body: {} },
  'PUT /api/v1/users/me/locale': { body: { language: 'pl' } },
  'PUT /api/v1/users/me/skipLengths': { body: { back: 15, forward: 45 } },
  'DELETE /api/v1/users/me/apiKey': { ok: 204 },
  'GET /api/v1/users/:username': { of: { other: 404, uploader: 404 } },
  'PUT /api/v1/users/:username': { body: {}, of: { other: 404, uploader: 404, admin: 404, 'open mode': 404 } },
  'PUT /api/v1/users/:username/role': { body: { role: 'user' } },
  'DELETE /api/v1/users/:username': { ok: 204 },
  'DELETE /api/v1/invites/:id': { ok: 204 },
  'GET /api/v1/transcripts/search': { query: '?q=fog' },
  'GET /api/v1/podcasts/episodes/:id/transcript': { ok: 404 },
  'GET /api/v1/podcasts/episodes/:id/transcripts/:tid/file': { ok: 404 },
  'GET /media/transcripts/:file': { ok: 404 },
  'HEAD /media/transcripts/:file': { ok: 404 },
  'GET /covers/chapters/:id': { ok: 404 },
  'PUT /api/v1/podcasts/filter': { body: { ascending: true, filter: 'TITLE', only_favored: false } },
  'PUT /api/v1/podcasts/favored': { body: { id: '{podcast}', favored: true }, ok: 204 },
  'POST /api/v1/podcasts/timeline/listened': { body: { finished: false } },
  'POST /api/v1/podcasts/timeline/listened/undo': { body: { undo: 'x' } },
  'POST /api/v1/podcasts/timeline/queue': { body: { to: '1990-01-01T00:00:00.000Z' } },
  'POST /api/v1/podcasts/episodes/batch/listened': { body: { episodes: ['{eid}'], finished: false } },
  'POST /api/v1/podcasts/episodes/batch/listened/undo': { body: { undo: 'x' } },
  'POST /api/v1/podcasts/episodes/batch/queue': { body: { episodes: ['{eid}'], at: 'last' }, ok: 204 },
  'POST /api/v1/podcasts/episodes/batch/favor': { body: { episodes: ['{eid}'], favored: true } },
  'POST /api/v1/podcasts/episodes/batch/download': { body: { episodes: ['{eid}'] }, ok: 202 },
  'POST /api/v1/podcasts/episodes/batch/download/undo': { body: { undo: 'x' } },
  'POST /api/v1/podcasts/episodes/batch/delete-files': { body: { episodes: ['{eid}'] } },
  'POST /api/v1/podcasts/:id/episodes/listened': { body: { finished: false } },
  'POST /api/v1/podcasts/:id/episodes/listened/undo': { body: { undo: 'x' } },
  'POST /api/v1/podcasts/episode': { body: { podcastEpisodeId: '{eid}', time: 5 } },
  'PUT /api/v1/podcasts/episode/:id/hidden': { ok: 204 },
  'DELETE /api/v1/podcasts/episode/:id/hidden': { ok: 204 },
  'PUT /api/v1/podcasts/:id/episodes/favor': { body: { favored: true }, ok: 204 },
  'POST /api/v1/podcasts/feed': { body: { rssFeedUrl: '{feed}' }, of: { user: 403, other: 403 } },
  'POST /api/v1/podcasts/all': { ok: 202 },
  'POST /api/v1/podcasts/:id/refresh': { ok: 202 },
  'PUT /api/v1/podcasts/:id/active': { body: { active: true } },
  'PUT /api/v1/podcasts/:id/name': { body: { name: 'Renamed' } },
  'DELETE /api/v1/podcasts/:id': { body: { delete_files: false }, ok: 204 },
  'PUT /api/v1/podcasts/:id/episodes/download': { ok: 202 },
  'DELETE /api/v1/episodes/:eid/download': { ok: 204 },
  'POST /api/v1/podcasts/:id/episodes/download-all': { ok: 202 },
  'POST /api/v1/podcasts/:id/episodes/download-all/undo': { body: { undo: '0' } },
  'POST /api/v1/podcasts/:id/episodes/download-range': { body: { from: 1, to: 1 }, ok: 202 },
  'POST /api/v1/podcasts/:id/episodes/resync-files': { ok: 202 },
  'POST /api/v1/tags': { body: { name: 'Another', color: 'Red' } },
  'PUT /api/v1/tags/:id': { body: { color: 'Blue' }, of: elsewhere },
  'DELETE /api/v1/tags/:id': { ok: 204, of: elsewhere },
  'POST /api/v1/tags/:id/:podcast': { of: elsewhere },
  'DELETE /api/v1/tags/:id/:podcast': { ok: 204, of: elsewhere },
  'POST /api/v1/playlist': { body: { name: 'Another', items: [] } },
  'POST /api/v1/playlist/preview': {
    body: { match: 'all', rules: [], order: 'newest', limit: 5, keepDownloaded: 0 },
  },
  'GET /api/v1/playlist/:id': { of: elsewhere },
  'PUT /api/v1/playlist/:id': { body: { name: 'Evening', items: [] }, of: elsewhere },
  'DELETE /api/v1/playlist/:id': { ok: 204, of: elsewhere },
  'DELETE /api/v1/playlist/:id/episode/:episode': { ok: 204, of: elsewhere },
  'PUT /api/v1/queue': { body: { items: [] } },
  'DELETE /api/v1/queue': { ok: 204 },
  'POST /api/v1/queue/items': { body: { episode: '{eid}' } },
  'DELETE /api/v1/queue/items/:id': { ok: 204, of: elsewhere },
  'PUT /api/v1/queue/continue': { body: { continueWith: 'podcast' } },
  'PUT /api/v1/queue/name': { body: { name: 'Mine' } },
  'POST /api/v1/queues': { body: { name: 'Another' } },
  'PUT /api/v1/queues/:id': { body: { name: 'Later' }, of: elsewhere },
  'POST /api/v1/queues/:id/use': { body: {}, of: elsewhere },
  'DELETE /api/v1/queues/:id': { ok: 204, of: elsewhere },
  'POST /api/v1/queues/:id/restore': { of: elsewhere },
  'POST /api/v1/podcasts/opml': { body: { content: '<opml/>' }, ok: 422, of: { user: 403, other: 403 } },
  'POST /api/v1/podcasts/opml/preview': { body: { content: '<opml/>' }, ok: 422, of: { user: 403, other: 403 } },
  'GET /api/v1/backups/:name': { ok: 404 },
  'DELETE /api/v1/backups/:name': { ok: 404 },
  'GET /api/v1/jobs/:id': { of: { other: 404, uploader: 404, 'open mode': 404 } },
  'DELETE /api/v1/jobs/:id': { ok: 204, of: { other: 404, uploader: 404, 'open mode': 404 } },
  'POST /api/v1/moves': { body: { name: 'Database', bytes: 1 }, ok: 201 },
  'GET /api/v1/moves/:id': { of: { other: 404, uploader: 404, 'open mode': 404 } },
  'GET /api/v1/moves/:id/podcasts': { of: { other: 404, uploader: 404, 'open mode': 404 } },
  'PUT /api/v1/moves/:id/file': {
    query: '?offset=0',
    body: {},
    ok: 422,
    of: { other: 404, uploader: 404, 'open mode': 404 },
  },
  // It has ended.
  'POST /api/v1/moves/:id/begin': { ok: 409, of: { other: 404, uploader: 404, 'open mode': 404 } },
  'PUT /api/v1/moves/:id/options': { body: { withPeople: false, files: null }, ok: 409, of: { 'open mode': 404 } },
  // Too old.
  'POST /api/v1/moves/:id/undo': { ok: 410, of: { other: 404, uploader: 404, 'open mode': 404 } },
  'DELETE /api/v1/moves/:id': { ok: 409, of: { other: 404, uploader: 404, 'open mode': 404 } },
  'GET /api/v1/settings/opml/:type': {},
  'PUT /api/v1/notifications/dismiss': { body: { id: '{notification}' }, ok: 204, of: elsewhere },
  'POST /api/v1/destinations': {
    body: { kind: 'webhook', name: 'Hook', address: 'http://8.8.8.8/', events: [], timeZone: 'UTC', language: 'en' },
  },
  'PUT /api/v1/destinations/:id': { body: { isOn: false }, of: elsewhere },
  'POST /api/v1/destinations/:id/test': { of: elsewhere },
  // It was not removed.
  'POST /api/v1/destinations/:id/restore': { ok: 404 },
  'DELETE /api/v1/destinations/:id': { ok: 204, of: elsewhere },
  'POST /api/v1/users/me/appPasswords': { body: { name: 'Radio' } },
  'DELETE /api/v1/users/me/appPasswords/:id': { ok: 204, of: elsewhere },
  'DELETE /api/v1/users/me/appSessions/:id': { ok: 204, of: elsewhere },
  'POST /api/v1/login/passkey/options': { of: { 'open mode': 403 } },
  'POST /api/v1/login/passkey': { body: { response: { id: 'x' } }, ok: 401, of: { 'open mode': 403 } },
  'POST /api/v1/users/me/secondFactor': unproven,
  'POST /api/v1/users/me/secondFactor/confirm': { body: { code: '000000' }, ok: 403 },
  'POST /api/v1/users/me/secondFactor/recoveryCodes': unproven,
  'DELETE /api/v1/users/me/secondFactor': unproven,
  'DELETE /api/v1/users/:username/secondFactor': { ok: 204 },
  'POST /api/v1/users/me/passkeys/options': unproven,
  'POST /api/v1/users/me/passkeys': { body: { name: 'Phone', response: { id: 'x' } }, ok: 400 },
  'PUT /api/v1/users/me/passkeys/:id': { body: { name: 'Phone' }, of: elsewhere },
  'DELETE /api/v1/users/me/passkeys/:id': { ok: 204, of: elsewhere },
  'DELETE /api/v1/users/me/sessions/:id': { ok: 204, of: elsewhere },
  'DELETE /api/v1/users/me/sessions': { ok: 204 },
  'GET /api/v1/access-requests/:id': { ok: 404 },
  'POST /api/v1/access-requests/:id/grant': { ok: 404 },
  'PUT /api/v1/devices/:id': { body: { caption: 'Phone' }, of: elsewhere },
  'DELETE /api/v1/devices/:id': { ok: 204, of: elsewhere },
  'PUT /api/v1/users/me/sync': { body: { autoAdd: false } },
  'POST /api/v1/bookmarks': { body: { episode: '{eid}', time: 5 } },
  'PUT /api/v1/bookmarks/:id': { body: { note: 'heard' }, of: elsewhere },
  'DELETE /api/v1/bookmarks/:id': { ok: 204, of: elsewhere },
  'GET /api/v1/skip-marks': { query: '?episode={eid}' },
  'POST /api/v1/skip-marks': { body: { episode: '{eid}', start: 50, end: 59, skip: true } },
  'DELETE /api/v1/skip-marks/:id': { ok: 204, of: elsewhere },
  'GET /rss/tag/:id': { of: elsewhere },
  'GET /rss/playlist/:id': { of: elsewhere },
  ...withKey,
  'GET /api/v1/podcasts/:id/:term/search': { ok: 422 },
  'POST /api/v1/podcasts/preview': { body: { rssFeedUrl: '{feed}' }, of: { user: 403, other: 403 } },
  'POST /api/v1/podcasts/itunes': { body: { trackId: 1 }, ok: 502 },
  'POST /api/v1/podcasts/podindex': { body: { trackId: 1 }, ok: 409 },
  'GET /api/v1/discover/trending': { ok: 409 },
  'GET /api/v1/search': { query: '?q=fog' },
  'POST /api/v1/downloads/:id/pause': { ok: 404 },
  'POST /api/v1/downloads/:id/resume': { ok: 404 },
  'DELETE /api/v1/downloads/:id': { ok: 404 },
  'POST /api/v1/transcriptions/:id/retry': { ok: 404 },
  'DELETE /api/v1/transcriptions/:id': { ok: 404 },
  'POST /api/v1/podcasts/episodes/:id/transcription': { ok: 409 },
  'DELETE /api/v1/podcasts/episodes/:id/transcripts/:tid': { ok: 404 },
  'GET /proxy/podcast': { query: '?episodeId={eid}', ok: 308 },
  'GET /proxy/podcast/apiKey/:key': { query: '?episodeId={eid}', ok: 308, of: { stranger: 308, off: 308 } },
  // Keys of assistants alone; in open mode the message is missing.
  'POST /mcp': { body: {}, ok: 400, of: { user: 401, other: 401, uploader: 401, admin: 401 } },
  // A passage that ends before it begins.
  'GET /api/v1/podcasts/episodes/:id/clip': { query: '?start=2&end=1', ok: 422 },
  'POST /api/v1/clips': { body: { episode: '{episode}', start: 2, end: 1 }, ok: 422 },
  'DELETE /api/v1/clips/:id': { ok: 204, of: elsewhere },
  'GET /clip/:code': { ok: 404 },
  'GET /clip/:code/audio': { ok: 404 },
  'GET /clip/:code/cover': { ok: 404 },
  'WS /ws': { ok: 101 },
}

/**
 * Deleting calls come last, so that the others find their objects; the queue item goes before the queue is replaced, and
 * a kept queue before it is restored and used.
 */
const order = (call: string) => {
  if (/^DELETE \S+\/(queue\/items|queues)\/:id$/.test(call)) return -1
  if (/^DELETE \S+\/(podcasts|users|tags|playlist)\/:\w+$/.test(call)) return 2
  return call.startsWith('DELETE') || call === 'POST /api/v1/podcasts/episode' ? 1 : 0
}
const inOrder = [...permissions].toSorted(([one], [other]) => order(one) - order(other))

const isOfPasswords = (route: string) => route.startsWith('POST /api/v1/login')
const isOfApps = (route: string) => isForApps(route.split(' ')[1]!, '') && route !== 'GET /clientconfig.json'

/** A password sent where passwords are off is a failed sign-in, whatever key is in the address. */
const hasFailed = (route: string, persona: Persona) => persona === 'off' && route.includes('/apiKey/:key')

/**
 * The statuses that depend on the way in: only some check passwords, and podcast apps show an app password to a proxy.
 */
function byMode(mode: Mode, route: string, persona: Persona): number | null {
  if (mode !== 'a proxy' && mode !== 'single sign-on') return null
  if (isOfPasswords(route)) return 403
  if (calls[route] === unproven) return persona === 'stranger' || persona === 'off' ? 401 : 409
  return (mode === 'a proxy' && isOfApps(route)) || hasFailed(route, persona) ? 401 : null
}

function expected(who: string, call: Call, persona: Persona, special: number | null): number {
  if (special !== null) return special
  const own = call.of?.[persona]
  if (own !== undefined) return own
  const ok = call.ok ?? 200
  if (who === 'public') return ok
  if (persona === 'stranger' || persona === 'off') return 401
  if (who === 'admin') return persona === 'admin' || persona === 'open mode' ? ok : 403
  if (who === 'uploader') return persona === 'user' || persona === 'other' ? 403 : ok
  return ok
}

/** Plants a podcast for everybody, and one of each thing that can be alice's own. */
async function plant(app: TestApp, way: WayIn | null) {
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
  const car = { app_password_id: null, apiKey: null, name: 'the-car-of-alice', last_address: '192.0.2.1' }
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

async function credentialsOf(app: TestApp, way: WayIn, persona: Persona, alice: Record<string, string>) {
  if (persona === 'user') return alice
  if (persona === 'other') return (await arrive(app, way, 'bob')).headers
  if (persona === 'uploader') return (await arrive(app, way, 'carol', 'uploader')).headers
  if (persona === 'admin') return way.headersOf('root')
  return persona === 'off' ? way.elsewhere : {}
}

/** The value for `:id`, by its place in the path. */
const idOf: readonly (readonly [where: RegExp, value: string])[] = [
  [/episodes?\/(favor|:id|download)$|\/covers\/episodes|podcasts\/episodes?\/:id/, 'episode'],
  [/\/invites\//, 'invite'],
  [/\/tags?\//, 'tag'],
  [/\/playlist\//, 'playlist'],
  [/\/bookmarks\//, 'bookmark'],
  [/\/skip-marks\//, 'mark'],
  [/\/queue\/items\//, 'item'],
  [/\/queues\//, 'queue'],
  [/\/clips\//, 'clip'],
  [/\/jobs\//, 'job'],
  [/\/moves\/:id/, 'move'],
  [/\/devices\//, 'device'],
  [/\/destinations\//, 'destination'],
  [/\/appPasswords\//, 'password'],
  [/\/appSessions\//, 'session'],
  [/\/me\/sessions\//, 'browser'],
  [/\/passkeys\//, 'passkey'],
  [/./, 'podcast'],
]

test('R1: the table names every call, and no other', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const routes = app.app.routes
    .filter(({ path }) => !isAudiobookshelf(path))
    .map(({ method, path }) => `${method} ${path}`)
  expect([...permissions.keys()].toSorted()).toEqual([...new Set(routes)].toSorted())
  expect(Object.keys(calls).filter(call => !permissions.has(call))).toEqual([])
})

async function check(persona: Persona, mode: Mode | null) {
  using way = mode === null ? null : await waysIn[mode]()
  await using app = await startTestApp({
    env: { ...way?.env, ALLOWED_NETWORKS: '127.0.0.0/8' },
    // Invalid credentials are sent hundreds of times here.
    throttleLimits: {
      freeFailures: 9e9,
      maxFailuresPerPair: 9e9,
      maxFailuresPerAddress: 9e9,
      firstPauseMs: 1,
      longestPauseMs: 1,
    },
    // Nothing answers there.
    directoryAddresses: { itunes: 'http://127.0.0.1:9', podindex: 'http://127.0.0.1:9' },
  })
  const { host, values, secrets, alice } = await plant(app, way)
  using _ = host
  const credentials = way ? await credentialsOf(app, way, persona, alice) : {}
  const headers = { ...credentials, 'Content-Type': 'application/json' }
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!)
  const origin = app.listen()
  const found: string[] = []
  const wanted: string[] = []
  for (const [route, who] of inOrder) {
    const call = calls[route] ?? {}
    const [method, path] = route.split(' ') as [string, string]
    const address = path
      .replace(':username', 'alice')
      .replace(':key', values['key']!)
      .replace(/:(eid|file|tid)/, values['eid']!)
      .replace(':id', values[idOf.find(([where]) => where.test(path))![1]]!)
      .replace(':type', 'local')
      .replace(':list', 'liked')
      .replace(':term', 'fog')
      .replace(':podcast', values['podcast']!)
      .replace(':episode', values['episode']!)
      .replace('*', 'podcasts')
    wanted.push(`${route} ${expected(who, call, persona, mode && byMode(mode, route, persona))}`)
    if (method === 'WS') {
      found.push(`${route} ${await handshake(origin, headers)}`)
      continue
    }
    // Over the network: in memory a request comes from nowhere, which no proxy is trusted to be.
    const response = await fetch(`${origin}${address}${fill(call.query ?? '')}`, {
      method,
      headers,
      redirect: 'manual',
      ...(call.body !== undefined && { body: fill(JSON.stringify(call.body)) }),
    })
    found.push(`${route} ${response.status}`)
    const text = await response.text()
    if (persona !== 'user' && who !== 'admin' && !/:username|:key|\/(jobs|moves)/.test(path))
      for (const secret of secrets) expect([route, text.includes(secret)]).toEqual([route, false])
    expect(response.headers.has('www-authenticate')).toBe(
      response.status === 401 && (/^\/(rss|mcp)/.test(path) || isForApps(path, '')),
    )
  }
  expect(found).toEqual(wanted)
}

describe.each(modes)('by %s', mode => {
  test.each(personas)('R1: %s may make the calls of the table, and is refused the others', persona =>
    check(persona, mode),
  )
})

test('R1: in open mode everybody may make them all', () => check('open mode', null))
