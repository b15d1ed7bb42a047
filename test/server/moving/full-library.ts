import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../../src/server/data-folder'
import { HOUR } from '../../../src/server/platform/clock'
import { allInherited } from '../../../src/server/store/podcast-settings'
import type { UserRow } from '../../../src/server/store/users'
import type { TestApp } from '../../support/app'
import { rss } from '../../support/builders'
import type { FeedHost } from '../../support/feed-host'
import { dumpOf } from '../../support/foreign/dump'
import { openWorld } from './world'

const day = (number: number) => Date.UTC(2026, 1, number, 8, 30)

/** Fills a library with everything that two people can have in it; `old` and `lost` are in no feed any more. */
export async function fillLibrary(app: TestApp, host: FeedHost, alice: UserRow) {
  const { store, admin, subscribe, refresh } = app.context
  const old = (name: string, number: number) => ({
    guid: name,
    title: `Title ${name}`,
    enclosure: `${host.origin}/${name}.mp3`,
    date: new Date(day(number) - 400 * 24 * HOUR).toUTCString(),
    notes: `<p>Notes of <b>${name}</b></p>`,
    extra: `<itunes:author>Author of ${name}</itunes:author>`,
  })
  host.feed('/alpha.xml', rss({ title: 'Alpha', items: [old('old', 2), old('lost', 3)] }))
  const alpha = await subscribe(admin, `${host.origin}/alpha.xml`)
  openWorld(host)
  await refresh.refresh(alpha.id, { isAsked: true })
  const beta = await subscribe(admin, `${host.origin}/beta.xml`)
  const members = await subscribe(admin, `${host.origin.replace('//', '//mara:sea%3Aside@')}/members.xml`)

  const known = [alpha, beta, members].flatMap(({ id }) => store.episodes.knownOf(id))
  const idOf = (title: string) => known.find(one => one.title === `Title ${title}`)!.id
  const play = (user: UserRow, title: string, position: number, at: number, finished = false) =>
    app.context.playback.write(user.id, store.episodes.find(idOf(title))!, { position, total: 1800, finished, at })

  store.inTransaction(() => {
    for (const [user, at] of [
      [admin, day(1)],
      [alice, day(2)],
    ] as const) {
      store.podcasts.favour(user.id, alpha.id, true, at)
      const tag = store.tags.add(user.id, { name: 'Coast', color: 'Blue', description: 'Sea & <salt>' }, at)
      store.tags.assign(tag.id, alpha.id)
      store.tags.assign(tag.id, beta.id)
      play(user, 'a1', 100, at + 1)
      play(user, 'a2', 1800, at + 2222, true)
      play(user, 'old', 60, at + 3)
      play(user, 'b1', 70, at + 4)
      store.episodes.like(user.id, idOf('a3'), true, at + 5)
      store.episodes.like(user.id, idOf('lost'), true, at + 6)
      store.queue.replace(user.id, [idOf('b1'), idOf('a4'), idOf('old'), idOf('a3')], at)
      store.users.setSkipLengths(user.id, {
        back: 15,
        forward: 45,
        nextKey: 'forward',
        rewind: false,
        levelVolume: true,
      })
      const list = store.playlists.add(user.id, 'Evening, "late"', at)
      store.playlists.describe(list.id, 'For the way home')
      store.playlists.replaceItems(list.id, [idOf('b2'), idOf('a1'), idOf('b1')])
      store.bookmarks.add(user.id, idOf('b1'), { time: 61, note: 'The *fog*' }, at + 7)
      store.bookmarks.add(user.id, idOf('a5'), { time: 3725, note: null }, at + 8)
      store.podcastSettings.keepPreferences(user.id, beta.id, {
        speed: 1.5,
        boost: 150,
        skipIntro: 20,
        skipOutro: 5,
        skipSilence: false,
        skipMarked: true,
        queueNew: 'front',
        queueMost: 7,
        form: 'smallest',
        notify: false,
        inTimeline: false,
      })
      store.skipMarks.add(user.id, idOf('b1'), { startMs: 61_500, endMs: 92_250, skip: true }, at + 9)
      store.skipMarks.add(user.id, idOf('old'), { startMs: 0, endMs: 9000, skip: false }, at + 10)
      store.listened.add(user.id, Math.floor(at / HOUR), idOf('a1'), alpha.id, 90, { saved: 30, trimmed: 5 })
      store.listened.add(user.id, Math.floor(at / HOUR) + 1, idOf('a1'), alpha.id, 10)
    }
    store.podcasts.favour(admin.id, members.id, true, day(3))
    store.podcasts.rename(beta.id, 'Beta, as I call it')
    store.podcasts.setActive(beta.id, false, day(4))
    store.episodes.markRemoved(idOf('a5'), true)
    store.podcastSettings.keep(alpha.id, {
      ...allInherited,
      auto_download: 0,
      keep_last: 7,
      include: 'fog, storm',
      podcast_format: '{podcastTitle}',
      user_agent: 'Radio/1',
    })
  })
  return { idOf, alpha, beta, members }
}

const joins = `JOIN user u ON u.id = x.user_id JOIN episode e ON e.id = x.episode_id JOIN podcast p ON p.id = e.podcast_id`

/** The rest that `dumpOf` leaves out: times, and everything else that only a move from Castellan brings. */
const more = {
  favoured: `SELECT u.username, p.feed_url, x.created_at FROM favourite x JOIN user u ON u.id = x.user_id
               JOIN podcast p ON p.id = x.podcast_id ORDER BY 1, 2`,
  queueing: `SELECT u.username, p.feed_url, x.queue_new, x.queue_most, x.form, x.notify, x.in_timeline
               FROM podcast_preference x
               JOIN user u ON u.id = x.user_id JOIN podcast p ON p.id = x.podcast_id ORDER BY 1, 2`,
  liked: `SELECT u.username, e.guid, x.created_at FROM episode_like x ${joins} ORDER BY 1, 2`,
  listened: `SELECT u.username, e.guid, x.hour, x.seconds, x.saved, x.trimmed FROM listened x ${joins} ORDER BY 1, 2, 3`,
  marked: `SELECT u.username, p.feed_url, e.guid, x.time FROM bookmark x ${joins} ORDER BY 1, 2, 3, 4`,
  toSkip: `SELECT u.username, p.feed_url, e.guid, x.start_ms, x.end_ms, x.skip, x.created_at FROM skip_mark x ${joins}
            ORDER BY 1, 2, 3, x.id`,
  skipping: `SELECT u.username, p.feed_url FROM podcast_preference x JOIN user u ON u.id = x.user_id
               JOIN podcast p ON p.id = x.podcast_id WHERE x.skip_marked = 1 ORDER BY 1, 2`,
  listed: `SELECT l.name, x.place, p.feed_url, e.guid FROM playlist l JOIN playlist_item x ON x.playlist_id = l.id
             JOIN episode e ON e.id = x.episode_id JOIN podcast p ON p.id = e.podcast_id ORDER BY l.user_id, 1, 2`,
  tags: 'SELECT u.username, t.name, t.color, t.description FROM tag t JOIN user u ON u.id = t.user_id ORDER BY 1, 2',
  player: 'SELECT username, skip_back, skip_forward, next_key, skip_rewind, level_volume FROM user ORDER BY 1',
  renamed: 'SELECT feed_url, renamed FROM podcast ORDER BY 1',
  settings: 'SELECT p.feed_url, s.* FROM podcast_settings s JOIN podcast p ON p.id = s.podcast_id ORDER BY 1',
  old: `SELECT guid, feed_guid, notes, author, enclosure_url, enclosure_type, announced_at, duration FROM episode
         WHERE in_feed = 0 ORDER BY 1`,
}

/** Everything in a library, but for ids, random names and the devices that reported positions. */
export function everythingIn({ folder }: TestApp, { origin }: FeedHost) {
  const { positions, ...dump } = dumpOf(folder, origin)
  const db = new Database(join(folder, DATABASE_FILE), { readonly: true })
  try {
    const rows = Object.entries(more).map(([name, sql]) => {
      const found = db.query<Record<string, unknown>, []>(sql).all()
      return [name, found.map(({ podcast_id: _, ...row }) => JSON.stringify(row))] as const
    })
    return { ...dump, positions: positions.map(line => line.replace(/ \| [^|]+$/, '')), more: Object.fromEntries(rows) }
  } finally {
    db.close()
  }
}
