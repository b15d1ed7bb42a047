import { writeForeign } from './write'

/** The tables of AntennaPod 3.11, or as they were in 2.2: without tags, filters by length and states. */
const schema = (isOld: boolean) => `
  CREATE TABLE Feeds (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, custom_title TEXT, file_url TEXT,
    download_url TEXT, downloaded INTEGER, link TEXT, description TEXT, payment_link TEXT, last_update TEXT,
    language TEXT, author TEXT, image_url TEXT, type TEXT, feed_identifier TEXT, auto_download INTEGER DEFAULT 1,
    username TEXT, password TEXT, include_filter TEXT DEFAULT '', exclude_filter TEXT DEFAULT '',
    keep_updated INTEGER DEFAULT 1, is_paged INTEGER DEFAULT 0, next_page_link TEXT, hide TEXT, sort_order TEXT,
    last_update_failed INTEGER DEFAULT 0, auto_delete_action INTEGER DEFAULT 0, feed_playback_speed REAL DEFAULT -1,
    feed_volume_adaption INTEGER DEFAULT 0, feed_skip_intro INTEGER DEFAULT 0, feed_skip_ending INTEGER DEFAULT 0
    ${isOld ? '' : `, minimal_duration_filter INTEGER DEFAULT -1, tags TEXT, state INTEGER DEFAULT 0`});
  CREATE TABLE FeedItems (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, pubDate INTEGER, read INTEGER, link TEXT,
    description TEXT, payment_link TEXT, media INTEGER, feed INTEGER, has_simple_chapters INTEGER,
    item_identifier TEXT, image_url TEXT, auto_download INTEGER);
  CREATE TABLE FeedMedia (id INTEGER PRIMARY KEY AUTOINCREMENT, duration INTEGER, file_url TEXT, download_url TEXT,
    downloaded INTEGER, position INTEGER, filesize INTEGER, mime_type TEXT, playback_completion_date INTEGER,
    feeditem INTEGER, played_duration INTEGER, has_embedded_picture INTEGER, last_played_time INTEGER);
  CREATE TABLE Queue (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);
  CREATE TABLE Favorites (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);
  CREATE INDEX FeedItems_feed ON FeedItems (feed);`

const day = (number: number) => Date.UTC(2026, 0, number)

type Item = { id: number; feed: number; guid: string | null; address: string | null; read?: number; more?: object }

/** A phone with five feeds: played, archived, only looked into, a folder of the phone, and behind a password. */
export function writeAntennapod(path: string, origin: string, isOld = false) {
  const state = (number: number, tags = ''): Record<string, string | number> => (isOld ? {} : { state: number, tags })
  const items: Item[] = [
    // The feed gives no guid, and the address has another scheme.
    { id: 1, feed: 1, guid: null, address: `${origin.replace('http:', 'https:')}/a1.mp3`, more: { position: 61_999 } },
    { id: 2, feed: 1, guid: 'a2', address: `${origin}/a2.mp3`, read: 1, more: { last_played_time: 0 } },
    // In the inbox; liked and queued.
    { id: 3, feed: 1, guid: 'a3', address: `${origin}/a3.mp3`, read: -1 },
    { id: 4, feed: 1, guid: 'a4', address: `${origin}/a4.mp3` },
    // Two podcasts share a guid.
    { id: 5, feed: 2, guid: 'a1', address: `${origin}/b1.mp3`, more: { position: 120_000, duration: 100_000 } },
    { id: 6, feed: 2, guid: 'dropped', address: `${origin}/dropped.mp3` },
    { id: 7, feed: 2, guid: 'never', address: `${origin}/never.mp3` },
    { id: 8, feed: 4, guid: 'local', address: 'content://x', read: 1 },
    // Without a file: only a text.
    { id: 9, feed: 1, guid: 'text', address: null, read: 1 },
  ]
  return writeForeign(
    path,
    schema(isOld),
    {
      Feeds: [
        {
          id: 1,
          title: 'Alpha',
          custom_title: 'My Alpha',
          download_url: `${origin}/alpha.xml`,
          feed_playback_speed: 1.27,
          feed_skip_intro: 30,
          feed_volume_adaption: 3,
          include_filter: 'news "late night"',
          auto_download: 2,
          ...state(0, '#root\u001eMorning\u001eNews'),
        },
        { id: 2, title: 'Beta', download_url: `${origin}/beta.xml`, ...state(2, '#untagged') },
        { id: 3, title: 'Looked into', download_url: `${origin}/looked.xml`, ...state(1) },
        { id: 4, title: 'Folder', download_url: 'antennapod_local:/sdcard', ...state(0) },
        {
          id: 5,
          title: 'Members',
          download_url: `${origin}/members.xml`,
          username: 'mara',
          password: 'sea:side',
          ...state(0),
        },
      ],
      FeedItems: items.map(({ id, feed, guid, read = 0 }) => ({
        id,
        feed,
        title: `Item ${id}`,
        pubDate: day(id),
        read,
        item_identifier: guid,
      })),
      FeedMedia: items
        .filter(({ address }) => address !== null)
        .map(({ id, address, more }) => ({
          id: 100 + id,
          feeditem: id,
          download_url: address,
          duration: 1_800_000,
          position: 0,
          mime_type: 'audio/mpeg',
          last_played_time: day(80) + id,
          playback_completion_date: day(70),
          ...more,
        })),
      Favorites: [{ id: 0, feeditem: 3, feed: 1 }],
      Queue: [4, 6, 3].map((feeditem, id) => ({ id, feeditem, feed: 1 })),
    },
    isOld ? 2_020_000 : 3_110_000,
  )
}
