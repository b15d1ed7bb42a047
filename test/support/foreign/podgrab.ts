import { writeForeign } from './write'

const times = 'created_at DATETIME, updated_at DATETIME, deleted_at DATETIME'
const schema = `
  CREATE TABLE podcasts (id TEXT PRIMARY KEY, ${times}, title TEXT, summary TEXT, author TEXT, image TEXT, url TEXT,
    last_episode DATETIME, is_paused NUMERIC DEFAULT 0);
  CREATE TABLE podcast_items (id TEXT PRIMARY KEY, ${times}, podcast_id TEXT, title TEXT, summary TEXT,
    episode_type TEXT, duration INTEGER, pub_date DATETIME, file_url TEXT, guid TEXT, image TEXT,
    download_date DATETIME, download_path TEXT, download_status INTEGER DEFAULT 0, is_played NUMERIC DEFAULT 0,
    bookmark_date DATETIME, file_size INTEGER);
  CREATE TABLE tags (id TEXT PRIMARY KEY, ${times}, label TEXT, description TEXT);
  CREATE TABLE podcast_tags (podcast_id TEXT, tag_id TEXT, PRIMARY KEY (podcast_id, tag_id));
  CREATE TABLE job_locks (id TEXT PRIMARY KEY, ${times}, date DATETIME, name TEXT, duration INTEGER);`

const never = '0001-01-01 00:00:00+00:00'
const deleted = '2026-02-01 10:00:00.123456789+00:00'

/** A server with played, bookmarked and deleted episodes, and rows that are gone. */
export function writePodgrab(path: string, origin: string) {
  const item = (id: string, podcast: string, more: Record<string, string | number> = {}) => ({
    id,
    podcast_id: podcast,
    title: `Title ${id}`,
    guid: id,
    file_url: `${origin}/${id}.mp3`,
    duration: 1800,
    pub_date: '2026-01-09 00:00:00+00:00',
    bookmark_date: never,
    ...more,
  })
  return writeForeign(path, schema, {
    podcasts: [
      { id: 'p1', title: 'Alpha', url: `${origin}/alpha.xml`, is_paused: 0 },
      { id: 'p2', title: 'Gone', url: `${origin}/gone.xml`, is_paused: 1 },
      { id: 'p3', title: 'Left', url: `${origin}/beta.xml`, deleted_at: deleted },
    ],
    podcast_items: [
      item('a1', 'p1', { is_played: 1 }),
      item('a2', 'p1', { bookmark_date: '2026-02-01 10:00:00.123456789+00:00' }),
      item('a3', 'p1', { download_status: 3 }),
      item('a4', 'p1', { is_played: 1, deleted_at: deleted }),
      // Its feed wrote hours and minutes.
      item('g1', 'p2', { is_played: 1, duration: 0 }),
      item('b1', 'p3', { is_played: 1 }),
    ],
    tags: [
      { id: 't1', label: 'Coast', description: 'By the sea' },
      { id: 't2', label: 'Left', deleted_at: deleted },
    ],
    podcast_tags: [
      { podcast_id: 'p1', tag_id: 't1' },
      { podcast_id: 'p1', tag_id: 't2' },
    ],
  })
}
