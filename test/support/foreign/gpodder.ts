import { writeForeign } from './write'

/** The tables of gPodder 3.11; `columns` of version 8 of the schema, or of the first. */
const schema = (isOld: boolean) => `
  CREATE TABLE podcast (id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL DEFAULT '', url TEXT NOT NULL DEFAULT '',
    link TEXT NOT NULL DEFAULT '', description TEXT NOT NULL DEFAULT '', cover_url TEXT NULL DEFAULT NULL,
    auth_username TEXT NULL DEFAULT NULL, auth_password TEXT NULL DEFAULT NULL,
    http_last_modified TEXT NULL DEFAULT NULL, http_etag TEXT NULL DEFAULT NULL,
    auto_archive_episodes INTEGER NOT NULL DEFAULT 0, download_folder TEXT NOT NULL DEFAULT '',
    pause_subscription INTEGER NOT NULL DEFAULT 0${isOld ? '' : `, section TEXT NOT NULL DEFAULT ''`});
  CREATE TABLE episode (id INTEGER PRIMARY KEY NOT NULL, podcast_id INTEGER NOT NULL, title TEXT NOT NULL DEFAULT '',
    description TEXT NOT NULL DEFAULT '', url TEXT NOT NULL, published INTEGER NOT NULL DEFAULT 0,
    guid TEXT NOT NULL DEFAULT '', link TEXT NOT NULL DEFAULT '', file_size INTEGER NOT NULL DEFAULT 0,
    mime_type TEXT NOT NULL DEFAULT 'application/octet-stream', state INTEGER NOT NULL DEFAULT 0,
    is_new INTEGER NOT NULL DEFAULT 0, archive INTEGER NOT NULL DEFAULT 0, download_filename TEXT NULL DEFAULT NULL,
    total_time INTEGER NOT NULL DEFAULT 0, current_position INTEGER NOT NULL DEFAULT 0,
    current_position_updated INTEGER NOT NULL DEFAULT 0, last_playback INTEGER NOT NULL DEFAULT 0
    ${isOld ? '' : `, payment_url TEXT NULL DEFAULT NULL, description_html TEXT NOT NULL DEFAULT ''`});
  CREATE TABLE version (version INTEGER);
  INSERT INTO version VALUES (${isOld ? 1 : 8});`

const day = (number: number) => Date.UTC(2026, 0, number) / 1000

/** A desktop with four podcasts: one in the world, one gone, one of a plugin, one with a password. */
export function writeGpodder(path: string, origin: string, isOld = false) {
  const section = (name: string): Record<string, string> => (isOld ? {} : { section: name })
  return writeForeign(path, schema(isOld), {
    podcast: [
      { id: 1, title: 'Alpha', url: `${origin}/alpha.xml`, ...section('Mornings') },
      { id: 2, title: 'Gone', url: `${origin}/gone.xml`, ...section('audio') },
      { id: 3, title: 'Plugin', url: 'yt:channel', ...section('video') },
      {
        id: 4,
        title: 'Members',
        url: `${origin}/members.xml`,
        auth_username: 'mara',
        auth_password: 'sea:side',
        pause_subscription: 1,
        ...section('Other'),
      },
    ],
    episode: [
      // Begun: 10 minutes of 30.
      played(11, 1, { guid: 'a1', url: `${origin}/a1.mp3?from=rss`, current_position: 600, total_time: 1800 }),
      // Within ten seconds of the end.
      played(12, 1, { guid: 'a2', url: `${origin}/a2.mp3`, current_position: 1795, total_time: 1800 }),
      // Played and set back.
      played(13, 1, { guid: 'a3', url: `${origin}/a3.mp3`, total_time: 1800 }),
      // Older than the subscription, never played.
      { id: 14, podcast_id: 1, guid: 'a4', url: `${origin}/a4.mp3`, title: 'Four', published: day(4), is_new: 0 },
      // No longer in the feed: locked, and played in part.
      played(15, 1, { guid: 'old', url: `${origin}/old.mp3`, title: 'The old one', current_position: 60, archive: 1 }),
      // Deleted on purpose.
      { id: 16, podcast_id: 1, guid: 'a5', url: `${origin}/a5.mp3`, title: 'Five', published: day(5), state: 2 },
      // Of a feed that is gone: two episodes with one guid.
      played(21, 2, { guid: 'same', url: `${origin}/g1.mp3`, title: 'One', published: day(1), current_position: 30 }),
      played(22, 2, { guid: 'same', url: `${origin}/g2.mp3`, title: 'Two', published: day(2), current_position: 40 }),
      // Without any address of a file.
      played(23, 2, { guid: 'nowhere', url: '', title: 'Nowhere', current_position: 50 }),
      // Of a plugin.
      played(31, 3, { guid: 'p1', url: 'https://video.example/1', current_position: 50 }),
      // A time that nobody has meant.
      played(41, 4, { guid: 'm1', url: `${origin}/m1.mp3`, current_position: 70, current_position_updated: -1 }),
    ],
  })
}

const played = (id: number, podcast: number, more: Record<string, string | number>) => ({
  id,
  podcast_id: podcast,
  title: `Episode ${id}`,
  description: '<p>About it</p><script>alert(1)</script>',
  published: day(id),
  is_new: 0,
  mime_type: 'audio/mpeg',
  last_playback: more.current_position_updated === -1 ? 0 : day(60),
  current_position_updated: day(61),
  ...more,
})
