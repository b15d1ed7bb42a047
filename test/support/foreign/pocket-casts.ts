import { writeForeign } from './write'

const schema = `
  CREATE TABLE podcasts (uuid TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, podcast_url TEXT, subscribed INTEGER,
    folder_uuid TEXT, override_global_effects INTEGER, playback_speed REAL, start_from INTEGER, skip_last INTEGER,
    added_date INTEGER);
  CREATE TABLE podcast_episodes (uuid TEXT PRIMARY KEY NOT NULL, podcast_id TEXT, title TEXT, published_date INTEGER,
    duration REAL, download_url TEXT, played_up_to REAL, playing_status INTEGER, starred INTEGER,
    last_starred_date INTEGER, archived INTEGER, last_playback_interaction_date INTEGER, file_type TEXT);
  CREATE TABLE up_next_episodes (_id INTEGER PRIMARY KEY, episodeUuid TEXT, position INTEGER, podcastUuid TEXT,
    title TEXT, downloadUrl TEXT);
  CREATE TABLE bookmarks (uuid TEXT PRIMARY KEY, podcast_uuid TEXT, episode_uuid TEXT, time INTEGER, title TEXT,
    created_at INTEGER, deleted INTEGER);
  CREATE TABLE folders (uuid TEXT PRIMARY KEY, name TEXT, deleted INTEGER);
  CREATE TABLE playlists (uuid TEXT PRIMARY KEY, title TEXT, manual INTEGER, deleted INTEGER);
  CREATE TABLE manual_playlist_episodes (playlist_uuid TEXT, episode_uuid TEXT, podcast_uuid TEXT, title TEXT,
    download_url TEXT, published_at INTEGER, sort_position INTEGER);`

/** The list that the app exports beside its database. */
export const writeList = (origin: string) => `<?xml version="1.0"?><opml version="1.0"><body><outline text="feeds">
  <outline type="rss" text="ALPHA " xmlUrl="${origin}/alpha.xml"/><outline text="Beta" xmlUrl="${origin}/beta.xml"/>
  <outline text="Twin" xmlUrl="${origin}/one.xml"/><outline text="Twin" xmlUrl="${origin}/two.xml"/>
  <outline text="Local" xmlUrl="file:///x"/></outline></body></opml>`

/** A phone with a folder, a queue, a playlist by hand, bookmarks, and podcasts that the list has not or has twice. */
export function writePocketCasts(path: string, origin: string) {
  const episode = (name: string, podcast: string, more: Record<string, string | number | null> = {}) => ({
    uuid: `e-${name}`,
    podcast_id: podcast,
    title: `Title ${name}`,
    published_date: Date.UTC(2026, 0, 4),
    duration: 1800.5,
    download_url: `${origin}/${name}.mp3`,
    played_up_to: 0,
    playing_status: 0,
    starred: 0,
    ...more,
  })
  const played = Date.UTC(2026, 1, 1, 10)
  return writeForeign(path, schema, {
    podcasts: [
      {
        uuid: 'p1',
        title: 'Alpha',
        subscribed: 1,
        folder_uuid: 'f1',
        override_global_effects: 1,
        playback_speed: 1.5,
        start_from: 15,
      },
      { uuid: 'p2', title: 'beta', subscribed: 0, folder_uuid: 'f2', override_global_effects: 0, playback_speed: 2 },
      { uuid: 'p3', title: 'Twin', subscribed: 1 },
      { uuid: 'p4', title: 'Not exported', subscribed: 1 },
      { uuid: 'p5', title: 'Looked at', subscribed: 0 },
    ],
    podcast_episodes: [
      episode('a1', 'p1', { playing_status: 1, played_up_to: 90.9, last_playback_interaction_date: played }),
      episode('a2', 'p1', { playing_status: 2, played_up_to: 1800, last_playback_interaction_date: played }),
      // Its address has changed since: title and day find it.
      episode('a3', 'p1', {
        download_url: 'https://cdn.example/other.mp3',
        starred: 1,
        last_starred_date: played,
        published_date: Date.UTC(2026, 0, 3),
      }),
      episode('a4', 'p1', { playing_status: 1, played_up_to: -1 }),
      episode('dropped', 'p1', { playing_status: 2, played_up_to: null, last_playback_interaction_date: null }),
      episode('b1', 'p2', { playing_status: 1, played_up_to: 20, last_playback_interaction_date: 0 }),
      episode('t1', 'p3', { playing_status: 1, played_up_to: 20 }),
    ],
    up_next_episodes: [
      { episodeUuid: 'e-a5', position: 0, podcastUuid: 'p1', title: 'Title a5', downloadUrl: `${origin}/a5.mp3` },
      { episodeUuid: 'e-a4', position: 1, podcastUuid: 'p1' },
      { episodeUuid: 'e-t1', position: 2, podcastUuid: 'p3' },
    ],
    bookmarks: [
      { uuid: 'm1', podcast_uuid: 'p1', episode_uuid: 'e-a1', time: 61, title: 'Here', created_at: played },
      { uuid: 'm2', podcast_uuid: 'p1', episode_uuid: 'e-a1', time: 62, title: 'Gone', deleted: 1 },
    ],
    folders: [
      { uuid: 'f1', name: 'Coast', deleted: 0 },
      { uuid: 'f2', name: 'Left', deleted: 1 },
    ],
    playlists: [
      { uuid: 'l1', title: 'Trip', manual: 1, deleted: 0 },
      { uuid: 'l2', title: 'A rule', manual: 0, deleted: 0 },
    ],
    manual_playlist_episodes: [
      { playlist_uuid: 'l1', episode_uuid: 'e-b1', sort_position: 0 },
      { playlist_uuid: 'l1', episode_uuid: 'e-a1', sort_position: 1 },
      { playlist_uuid: 'l2', episode_uuid: 'e-a2', sort_position: 0 },
    ],
  })
}
