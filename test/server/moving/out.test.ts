import Ajv from 'ajv'
import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DATABASE_FILE } from '../../../src/server/data-folder'
import { rulesOf } from '../../../src/server/library/playlists'
import { streamOf } from '../../../src/server/platform/stream-of'
import type { UserRow } from '../../../src/server/store/users'
import { startClock, startTestApp, temporaryFolder, type TestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { reportOf } from '../../support/foreign/dump'
import { portcastSchema } from '../../support/portcast-schema'
import { unzip } from '../../support/unzip'
import { everythingIn, fillLibrary } from './full-library'
import { moveIn, undoLatest } from './world'
import { openBeside } from '../../support/other-writer'

async function startServer() {
  const app = await startTestApp({ now: startClock() })
  app.prefill(0)
  return { app, alice: (await app.signUp('alice')).row }
}

/** A server with the podcasts that a plain user may not add. */
async function startWithPodcasts({ origin }: { origin: string }) {
  const server = await startServer()
  const { subscribe, admin } = server.app.context
  for (const name of ['alpha', 'beta']) await subscribe(admin, `${origin}/${name}.xml`)
  return server
}

async function startFull() {
  const host = startFeedHost()
  const { app, alice } = await startServer()
  const { idOf } = await fillLibrary(app, host, alice)
  return {
    host,
    app,
    alice,
    idOf,
    /** Changes what no call changes. */
    database(sql: string) {
      const db = openBeside(join(app.folder, DATABASE_FILE))
      db.run(sql)
      db.close()
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

const nothing = { withFiles: false, withPasswords: false }

/** Writes the archive of a person to the disk. */
async function exported({ context }: TestApp, { id }: UserRow, wanted = nothing): Promise<string> {
  const user = context.store.users.find(id)!
  const path = join(temporaryFolder(), 'castellan.zip')
  writeFileSync(path, await Bun.readableStreamToBytes(streamOf(context.movingOut.archiveFor(user, wanted))))
  return path
}

const filesIn = async (app: TestApp, user: UserRow, wanted = nothing) => unzip(await exported(app, user, wanted))

test('everything of two people comes to an empty server as it was', async () => {
  await using from = await startFull()
  const { app: target, alice } = await startServer()
  await using to = target
  const before = everythingIn(from.app, from.host)
  const { admin } = from.app.context
  await moveIn(to, await exported(from.app, admin, { withFiles: false, withPasswords: true }))
  await moveIn(to, await exported(from.app, from.alice), alice)
  expect(everythingIn(to, from.host)).toEqual(before)
  const { store } = to.context
  const lists = store.users.list().flatMap(({ id }) => store.playlists.listFor(id))
  expect(lists.map(({ description }) => description)).toEqual(['For the way home', 'For the way home'])
  expect(before).toMatchObject({ podcasts: { length: 3 }, positions: { length: 8 }, playlists: { length: 6 } })
  expect(reportOf(to.folder).filter(line => /left-out|likes/.test(line))).toEqual(['likes taken: 2'])
}, 120_000)

const documentIn = (files: Map<string, Buffer>) =>
  JSON.parse(files.get('everything.portcast.json')!.toString()) as Record<string, never>

test('a second import of an archive changes nothing, and deletes nothing that it does not hold', async () => {
  await using from = await startFull()
  const { store, admin } = from.app.context
  const archive = await exported(from.app, admin)
  store.bookmarks.add(admin.id, from.idOf('a2'), { time: 5, note: 'later' }, 1)
  const before = everythingIn(from.app, from.host)
  await moveIn(from.app, archive)
  expect(everythingIn(from.app, from.host)).toEqual(before)
  expect(reportOf(from.app.folder).filter(line => line.includes('taken'))).toEqual([])
})

test('the document is one of PortCast, with nothing but its own members', async () => {
  await using from = await startFull()
  const document = documentIn(await filesIn(from.app, from.alice))
  const isPortcast = new Ajv({ strict: false, allErrors: true }).compile(portcastSchema)
  isPortcast(document)
  expect(isPortcast.errors ?? []).toEqual([])
  expect(document).toMatchObject({ episodes: { length: 9 }, queue: { length: 4 }, bookmarks: { length: 2 } })
  expect(isPortcast({ ...document, more: 1 })).toBe(false)
})

test('queues that are kept for later are in the document, deleted ones are not', async () => {
  await using from = await startFull()
  const { savedQueues, queue } = from.app.context
  savedQueues.begin(from.alice, 'Evening', {})
  savedQueues.begin(from.alice, 'Gone', {})
  savedQueues.begin(from.alice, 'Night', {})
  queue.continueWith(from.alice.id, 'newest')
  savedQueues.remove(from.alice, from.app.context.store.savedQueues.findByName(from.alice.id, 'Gone')!.uuid)
  type Own = { queue: object; queues: { id: string; name?: string }[]; kept: { queue: string; title: string }[] }
  const { extensions } = documentIn(await filesIn(from.app, from.alice)) as unknown as {
    extensions: { castellan: Own }
  }
  const { castellan } = extensions
  expect(castellan.queue).toEqual({ name: 'Night', continueWith: 'newest' })
  expect(castellan.queues.map(({ name }) => name)).toEqual(['Evening', undefined])
  expect(castellan.kept.map(({ queue, title }) => [queue === castellan.queues[1]!.id, title])).toEqual(
    ['b1', 'a4', 'old', 'a3'].map(guid => [true, expect.stringContaining(guid)]),
  )
})

test('kept queues, the name of the one in use and what follows it come along, once, and can be taken back', async () => {
  await using from = await startFull()
  from.app.context.savedQueues.begin(from.alice, 'Night', {})
  from.app.context.queue.continueWith(from.alice.id, 'newest')
  const { app: target, alice } = await startWithPodcasts(from.host)
  await using to = target
  const { store } = to.context
  const shown = () => {
    const { name, continue_with } = store.queue.find(alice.id)
    const kept = store.savedQueues.countedFor({ id: alice.id, explicit_consent: 1 })
    return [name, continue_with, kept.map(queue => [queue.name, queue.episodes])]
  }
  const archive = await exported(from.app, from.alice)
  for (const _ of [1, 2]) {
    await moveIn(to, archive, alice)
    expect(shown()).toEqual(['Night', 'newest', [[null, 4]]])
  }
  store.savedQueues.use(store.savedQueues.findByName(alice.id, null)!)
  const titles = store.queue.idsOf(alice.id).map(id => store.episodes.find(id)!.title)
  expect(titles).toEqual(['b1', 'a4', 'old', 'a3'].map(name => `Title ${name}`))
})

test('what came of queues is taken back, but for a choice that was made since', async () => {
  await using from = await startFull()
  from.app.context.savedQueues.begin(from.alice, 'Night', {})
  from.app.context.queue.continueWith(from.alice.id, 'newest')
  const archive = await exported(from.app, from.alice)
  for (const isChanged of [false, true]) {
    const { app: target, alice } = await startWithPodcasts(from.host)
    await using to = target
    await moveIn(to, archive, alice)
    if (isChanged) to.context.queue.continueWith(alice.id, 'podcast')
    await undoLatest(to)
    const { name, continue_with } = to.context.store.queue.find(alice.id)
    expect([name, continue_with]).toEqual(isChanged ? ['Night', 'podcast'] : [null, 'nothing'])
    expect(to.context.store.savedQueues.count(alice.id)).toBe(0)
  }
})

test('an hour known from an older archive learns what was saved in it, and no number is ever lowered', async () => {
  await using from = await startFull()
  const { app: target, alice } = await startWithPodcasts(from.host)
  await using to = target
  const archive = await exported(from.app, from.alice)
  await moveIn(to, archive, alice)
  const hours = () => to.context.store.listened.listFor(alice, 0, 1_000_000)
  const first = hours()[0]!
  expect(first).toMatchObject({ saved: 30, trimmed: 5 })
  to.context.store.moves.setListened({ user_id: alice.id, ...first }, 200, { saved: null, trimmed: 7 })
  await moveIn(to, archive, alice)
  expect(hours()[0]).toMatchObject({ seconds: 200, saved: 30, trimmed: 7 })
  await moveIn(to, archive, alice)
  expect(reportOf(to.folder, 3).join()).not.toContain('listened taken')
})

test('a playlist that fills itself comes with its rules, by feeds and names, and says which podcast is missing', async () => {
  await using from = await startFull()
  const { playlists, store, subscribe, admin } = from.app.context
  const elsewhere = from.host.feed('/elsewhere.xml', rss({ title: 'Elsewhere', items: [{ title: 'x' }] }))
  const { id } = await subscribe(admin, elsewhere)
  const alpha = store.podcasts.findByFeed(`${from.host.origin}/alpha.xml`)!
  const ids = [alpha.uuid, store.podcasts.find(id)!.uuid]
  const tag = store.tags.listFor(from.alice.id)[0]!
  const rules = {
    match: 'all' as const,
    rules: [
      { field: 'podcast' as const, op: 'is' as const, podcasts: ids },
      { field: 'podcast' as const, op: 'is-not' as const, podcasts: [ids[1]!] },
      { field: 'tag' as const, op: 'is' as const, tags: [tag.uuid] },
      { field: 'played' as const, is: 'unplayed' as const },
    ],
    order: 'oldest' as const,
    limit: 20,
    keepDownloaded: 0,
  }
  playlists.create(from.alice, { name: 'By rules', description: 'The newest', items: [], rules })
  const archive = await exported(from.app, from.alice)
  const { app: target, alice } = await startWithPodcasts(from.host)
  await using to = target
  await moveIn(to, archive, alice)
  await moveIn(to, archive, alice)
  const here = to.context.store
  const made = here.playlists.listFor(alice.id).filter(row => row.rules !== null)
  expect(made).toMatchObject([{ name: 'By rules', description: 'The newest' }])
  const read = rulesOf(made[0]!)!
  expect(read.rules).toEqual([
    { field: 'podcast', op: 'is', podcasts: [here.podcasts.findByFeed(`${from.host.origin}/alpha.xml`)!.uuid] },
    { field: 'podcast', op: 'is-not', podcasts: [expect.any(String)] },
    { field: 'tag', op: 'is', tags: [here.tags.findByName(alice.id, tag.name)!.uuid] },
    { field: 'played', is: 'unplayed' },
  ])
  expect(here.podcasts.findFor(alice, (read.rules[1] as { podcasts: string[] }).podcasts[0]!)).toBeNull()
  expect(here.playlists.episodeIds(made[0]!.id)).toEqual([])
  expect(reportOf(to.folder, 1)).toContain('playlists left-out podcast-left-out: 2')
  expect(reportOf(to.folder, 2)).toContain('playlists present: 4')
})

test('taking a move back removes the playlist that fills itself, unless somebody has changed it', async () => {
  await using from = await startFull()
  const rules = {
    match: 'all' as const,
    rules: [{ field: 'played' as const, is: 'unplayed' as const }],
    order: 'oldest' as const,
    limit: 20,
    keepDownloaded: 0,
  }
  from.app.context.playlists.create(from.alice, { name: 'By rules', items: [], rules })
  const archive = await exported(from.app, from.alice)
  for (const isChanged of [false, true]) {
    const { app: target, alice } = await startWithPodcasts(from.host)
    await using to = target
    await moveIn(to, archive, alice)
    const { playlists, store } = to.context
    const { id, uuid } = store.playlists.findByName(alice.id, 'By rules')!
    if (isChanged) playlists.replace(alice, uuid, { name: 'By rules', items: [], rules: { ...rules, limit: 5 } })
    await undoLatest(to)
    const left = store.playlists.listFor(alice.id).find(row => row.id === id)
    expect(left && rulesOf(left)!.limit).toBe(isChanged ? 5 : undefined)
  }
})

test('passwords stay on the server unless they are asked for', async () => {
  await using from = await startFull()
  const { admin } = from.app.context
  const all = async (withPasswords: boolean) => {
    const files = await filesIn(from.app, admin, { withFiles: false, withPasswords })
    return Buffer.concat([...files.values()]).toString()
  }
  expect(await all(false)).not.toContain('sea:side')
  expect(await all(false)).toContain('/members.xml')
  expect(await all(true)).toContain('sea:side')
})

test('a person takes along only their own, and rules of podcasts only if they may see them', async () => {
  await using from = await startFull()
  const { store } = from.app.context
  store.tags.add(from.app.context.admin.id, { name: 'Secret of the admin', color: 'Red' }, 1)
  const text = Buffer.concat([...(await filesIn(from.app, from.alice)).values()]).toString()
  for (const foreign of ['Secret of the admin', 'members.xml', 'Radio/1', 'keepLast', '1769934'])
    expect(text).not.toContain(foreign)
  const { row: dora } = await from.app.signUp('dora')
  expect(documentIn(await filesIn(from.app, dora))).toMatchObject({ subscriptions: [], episodes: [], bookmarks: [] })
})

test('explicit episodes stay away from an account that does not show them', async () => {
  await using from = await startFull()
  const { database } = from
  database(`UPDATE episode SET explicit = 1 WHERE title = 'Title a1'`)
  const names = [...(await filesIn(from.app, from.alice)).values()]
    .map(String)
    .filter(text => text.includes('Title a1'))
  expect(names).toEqual([])
  expect(String((await filesIn(from.app, from.app.context.admin)).get('history.csv'))).toContain('Title a1')
})

test('what people read names every list, and holds nothing that a spreadsheet would run', async () => {
  await using from = await startFull()
  const { store } = from.app.context
  from.database(`UPDATE episode SET title = '=HYPERLINK("http://x.example"), now' WHERE title = 'Title a1'`)
  for (const name of ['evening, "late"', '../../Evening: 2', '   ']) {
    const { id } = store.playlists.findByName(from.alice.id, name) ?? store.playlists.add(from.alice.id, name, 1)
    store.playlists.replaceItems(id, [from.idOf('a1')])
  }
  const files = await filesIn(from.app, from.alice)
  expect([...files.keys()]).toEqual([
    'read-me.txt',
    'everything.portcast.json',
    'subscriptions.opml',
    'bookmarks.md',
    'history.csv',
    'hours.csv',
    'queue.m3u8',
    'playlists/- -.m3u8',
    'playlists/-.-..-Evening- 2.m3u8',
    'playlists/Evening, -late-.m3u8',
    'files.csv',
  ])
  const text = (name: string) => String(files.get(name)).replaceAll(from.host.origin, '')
  expect(text('history.csv').split('\r\n')[1]).toStartWith(
    `2026-02-02T08:30:00.001Z,Alpha,"'=HYPERLINK(""http://x.example""), now",100,1800,no,`,
  )
  expect(
    text('hours.csv')
      .split('\r\n')
      .find(line => line.includes(',90,') || line.includes(',105,')),
  ).toContain('HYPERLINK')
  expect(text('queue.m3u8').split('\n').slice(0, 3)).toEqual([
    '#EXTM3U',
    '#EXTINF:-1,Beta, as I call it – Title b1',
    '/b1.mp3',
  ])
  expect(text('bookmarks.md')).toContain(
    '- 1:01 in “Title b1” of Beta, as I call it, 2026-02-02\n  The \\*fog\\*\n  </b1.mp3>',
  )
  expect(text('subscriptions.opml')).toContain('xmlUrl="/alpha.xml" category="Coast"')
})

test('the files come as they are, and a table says which could not be read', async () => {
  await using from = await startFull()
  const { store, admin, config } = from.app.context
  const place = (title: string, path: string, bytes: Uint8Array | null) => {
    store.episodes.keepFile(from.idOf(title), { path, size: 3, type: 'audio/mpeg', now: 1, duration: null })
    if (bytes) mkdirSync(dirname(join(config.podcastFolder, path)), { recursive: true })
    if (bytes) writeFileSync(join(config.podcastFolder, path), bytes)
  }
  const sound = crypto.getRandomValues(new Uint8Array(40_000))
  place('a3', 'Alpha/Ünïcode, one.mp3', sound)
  place('a4', 'Alpha/gone.mp3', null)
  expect(from.app.context.movingOut.sizeFor(admin)).toEqual({ podcasts: 3, files: 2, bytes: 6 })
  const files = await filesIn(from.app, admin, { withFiles: true, withPasswords: false })
  expect(files.get('files/Alpha/Ünïcode, one.mp3')).toEqual(Buffer.from(sound))
  const lines = String(files.get('files.csv')).split('\r\n')
  expect(lines.map(line => line.split(',Alpha,Title')[0]).slice(1, -1)).toEqual([
    '"files/Alpha/Ünïcode, one.mp3",3,yes',
    'files/Alpha/gone.mp3,3,missing',
  ])
  expect(String(files.get('queue.m3u8'))).toContain('\nfiles/Alpha/gone.mp3\n')
  const without = await filesIn(from.app, admin)
  expect(String(without.get('files.csv'))).toContain('Alpha/gone.mp3,3,no,')
  expect([...without.keys()].filter(name => name.startsWith('files/'))).toEqual([])
})

test('a podcast of more episodes than a page comes whole, though all were published at once', async () => {
  await using from = await startFull()
  const { context } = from.app
  const date = new Date(Date.UTC(2026, 0, 1)).toUTCString()
  const names = Array.from({ length: 600 }, (_, number) => `n${number}`)
  from.host.feed('/many.xml', rss({ title: 'Many', items: names.map(guid => ({ guid, date })) }))
  const { id } = await context.subscribe(context.admin, `${from.host.origin}/many.xml`)
  const ids = context.store.episodes.knownOf(id).map(episode => episode.id)
  context.store.episodes.likeAll(from.alice.id, ids, true, 7)
  const { episodes } = documentIn(await filesIn(from.app, from.alice)) as unknown as { episodes: { guid: string }[] }
  expect(
    episodes
      .map(({ guid }) => guid)
      .filter(guid => guid.startsWith('n'))
      .toSorted(),
  ).toEqual(names.toSorted())
})

test('rules of a podcast come only with somebody who may set them', async () => {
  await using from = await startFull()
  const { app: target, alice } = await startServer()
  await using to = target
  const { admin, moves, subscribe, store } = to.context
  const { id } = await subscribe(admin, `${from.host.origin}/alpha.xml`)
  const rules = () => store.podcastSettings.of(id)
  const archive = await exported(from.app, from.app.context.admin)
  await moves.start(alice, archive, { authority: 'self' })
  moves.resume()
  await moves.settled()
  expect(Object.values(rules()).filter(value => value !== null)).toEqual([])
  await moveIn(to, archive, alice)
  expect(rules()).toMatchObject({ include: 'fog, storm', podcast_format: '{podcastTitle}', user_agent: 'Radio/1' })
})
