import { writeForeign } from './write'

/** A: users by name; B: by number; C: by uuid, as everything else. */
export type Generation = 'A' | 'B' | 'C'

const uuid = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

function schema(generation: Generation): string {
  const id = generation === 'C' ? 'TEXT' : 'INTEGER'
  const owner = generation === 'A' ? 'username TEXT NOT NULL' : `user_id ${id} NOT NULL`
  const settings = `episode_numbering BOOLEAN, auto_download BOOLEAN, auto_update BOOLEAN, auto_cleanup BOOLEAN,
    auto_cleanup_days INTEGER, replace_invalid_characters BOOLEAN, use_existing_filename BOOLEAN,
    replacement_strategy TEXT, episode_format TEXT, podcast_format TEXT, direct_paths BOOLEAN, podcast_prefill INTEGER`
  const fromB = `CREATE TABLE listening_events (id INTEGER PRIMARY KEY, user_id ${id}, podcast_episode_db_id ${id},
    delta_seconds INTEGER, start_position INTEGER, end_position INTEGER, listened_at TIMESTAMP);`
  const fromC = `
    CREATE TABLE episode_triages (user_id TEXT NOT NULL, episode_id TEXT NOT NULL, status TEXT NOT NULL,
      updated_at TIMESTAMP NOT NULL, PRIMARY KEY (user_id, episode_id));
    CREATE TABLE audiobookshelf_media_progress (id TEXT PRIMARY KEY NOT NULL, user_id TEXT NOT NULL,
      library_item_id TEXT NOT NULL, episode_id TEXT, position_seconds REAL NOT NULL, duration REAL NOT NULL,
      is_finished BOOLEAN NOT NULL, last_update TIMESTAMP NOT NULL);
    CREATE TABLE podcast_episode_transcripts (id TEXT PRIMARY KEY NOT NULL, episode_id TEXT NOT NULL, source TEXT NOT NULL,
      original_url TEXT, mime_type TEXT NOT NULL DEFAULT 'application/json', language TEXT, status TEXT);
    CREATE TABLE podcast_episode_transcript_segments (id INTEGER PRIMARY KEY, transcript_id TEXT NOT NULL,
      idx INTEGER NOT NULL, start_ms INTEGER, end_ms INTEGER, speaker TEXT, text TEXT NOT NULL);`
  return `
    CREATE TABLE __diesel_schema_migrations (version VARCHAR(50) PRIMARY KEY NOT NULL, run_on TIMESTAMP);
    CREATE TABLE users (id ${id} PRIMARY KEY NOT NULL, username TEXT NOT NULL UNIQUE, role TEXT NOT NULL,
      password TEXT NULL, explicit_consent BOOLEAN NOT NULL DEFAULT 0, created_at DATETIME, api_key TEXT);
    CREATE TABLE podcasts (id ${id} PRIMARY KEY NOT NULL, name TEXT NOT NULL, directory_id TEXT, rssfeed TEXT NOT NULL,
      image_url TEXT, summary TEXT, active BOOLEAN NOT NULL DEFAULT 1, directory_name TEXT, guid TEXT);
    CREATE TABLE podcast_episodes (id ${id} PRIMARY KEY NOT NULL, podcast_id ${id} NOT NULL, episode_id TEXT NOT NULL,
      name TEXT NOT NULL, url TEXT NOT NULL, date_of_recording TEXT NOT NULL, image_url TEXT,
      total_time INTEGER NOT NULL DEFAULT 0, description TEXT NOT NULL DEFAULT '', download_time DATETIME,
      guid TEXT NOT NULL DEFAULT '', deleted BOOLEAN NOT NULL DEFAULT 0, file_episode_path TEXT, download_location TEXT);
    CREATE TABLE favorites (${owner}, podcast_id ${id} NOT NULL, favored BOOLEAN NOT NULL DEFAULT 0);
    CREATE TABLE favorite_podcast_episodes (${owner}, episode_id ${id} NOT NULL, favorite BOOLEAN NOT NULL DEFAULT 0);
    CREATE TABLE episodes (id ${id} PRIMARY KEY NOT NULL, ${owner}, device TEXT NOT NULL, podcast TEXT NOT NULL,
      episode TEXT NOT NULL, timestamp TIMESTAMP NOT NULL, guid TEXT, action TEXT NOT NULL, started INTEGER,
      position INTEGER, total INTEGER);
    CREATE TABLE playlists (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, user_id ${id} NOT NULL);
    CREATE TABLE playlist_items (playlist_id TEXT NOT NULL, episode ${id} NOT NULL, position INTEGER NOT NULL);
    CREATE TABLE tags (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, ${owner}, description TEXT, color TEXT NOT NULL);
    CREATE TABLE tags_podcasts (tag_id TEXT NOT NULL, podcast_id ${id} NOT NULL);
    CREATE TABLE podcast_settings (podcast_id ${id} PRIMARY KEY NOT NULL, ${settings}, activated BOOLEAN NOT NULL DEFAULT 0);
    CREATE TABLE settings (id ${id} PRIMARY KEY NOT NULL, ${settings});
    ${generation === 'A' ? '' : fromB}${generation === 'C' ? fromC : ''}`
}

type Row = Record<string, string | number | null>

const ownSettings: Row = {
  auto_download: 0,
  auto_update: 1,
  auto_cleanup: 1,
  auto_cleanup_days: 30,
  podcast_prefill: 5,
  episode_numbering: 1,
  use_existing_filename: 0,
  replace_invalid_characters: 1,
  replacement_strategy: 'remove',
  direct_paths: 0,
  episode_format: '{}',
  podcast_format: '{podcastTitle}',
}

/** A server with two people and its standard user, in one of the three generations of its schema. */
export function writePodfetch(path: string, origin: string, generation: Generation) {
  const id = (number: number) => (generation === 'C' ? uuid(number) : number)
  const people = { user123: 9999, alice: 2, zoe: 3 } as const
  const by = (name: keyof typeof people): Row =>
    generation === 'A' ? { username: name } : { user_id: id(people[name]) }
  const episode = (number: number, podcast: number, name: string, more: Row = {}): Row => ({
    id: id(number),
    podcast_id: id(podcast),
    episode_id: crypto.randomUUID(),
    name: `Title ${name}`,
    url: `${origin}/${name}.mp3`,
    guid: name,
    date_of_recording: '2026-01-03T00:00:00+00:00',
    total_time: 1800,
    ...more,
  })
  let actions = 0
  const play = (
    who: keyof typeof people,
    feed: string,
    name: string,
    position: number,
    at: string,
    more: Row = {},
  ) => ({
    id: id(500 + actions++),
    ...by(who),
    device: 'webview',
    podcast: `${origin}/${feed}.xml`,
    episode: `${origin}/${name}.mp3`,
    timestamp: at,
    guid: name,
    action: 'play',
    started: position,
    position,
    total: 1800,
    ...more,
  })
  const rows: Record<string, Row[]> = {
    users: (['user123', 'alice', 'zoe'] as const).map(username => ({
      id: id(people[username]),
      username,
      role: username === 'zoe' ? 'admin' : 'user',
      explicit_consent: username === 'zoe' ? 1 : 0,
      password: new Bun.CryptoHasher('sha256').update(`${username}'s word`).digest('hex'),
    })),
    podcasts: [
      { id: id(1), name: 'Alpha', rssfeed: `${origin}/alpha.xml` },
      { id: id(2), name: 'Beta', rssfeed: `${origin}/beta.xml`, active: 0 },
      { id: id(3), name: 'Gone', rssfeed: `${origin}/gone.xml` },
      { id: id(4), name: 'A folder', rssfeed: 'file:///podcasts/x' },
    ],
    podcast_episodes: [
      episode(11, 1, 'a1'),
      episode(12, 1, 'a2'),
      episode(13, 1, 'a3', { deleted: 1 }),
      // The feed had no guid.
      episode(14, 1, 'a4', { guid: '' }),
      episode(15, 1, 'dropped', { date_of_recording: '2021-01-01T00:00:00+00:00' }),
      // Shares its guid with the first one.
      episode(21, 2, 'b1', { guid: 'a1' }),
      episode(31, 3, 'g1'),
    ],
    favorites: [
      { ...by('alice'), podcast_id: id(1), favored: 1 },
      { ...by('user123'), podcast_id: id(2), favored: 1 },
      { ...by('zoe'), podcast_id: id(1), favored: 1 },
      { ...by('alice'), podcast_id: id(3), favored: 0 },
    ],
    favorite_podcast_episodes: [{ ...by('user123'), episode_id: id(15), favorite: 1 }],
    episodes: [
      play('alice', 'alpha', 'a1', 100, '2026-02-01 10:00:00'),
      play('alice', 'alpha', 'a1', 200, '2026-02-02 10:00:00.250', { device: 'phone', action: 'PLAY' }),
      play('alice', 'beta', 'b1', 300, '2026-02-01 11:00:00', { guid: 'a1' }),
      play('alice', 'alpha', 'a2', 1795, '2026-02-03 10:00:00'),
      play('user123', 'alpha', 'a4', 400, '2026-02-03 10:00:00', { guid: null, total: -1 }),
      play('user123', 'gone', 'g1', 500, '2026-02-03 10:00:00'),
      play('alice', 'alpha', 'a3', -1, '2026-02-04 10:00:00'),
      play('alice', 'alpha', 'a3', 0, '2026-02-04 11:00:00'),
      play('alice', 'elsewhere', 'e1', 600, '2026-02-03 10:00:00'),
      play('alice', 'alpha', 'a3', 10, '2026-02-05 10:00:00', { action: 'download' }),
      play('zoe', 'alpha', 'a1', 700, '2026-02-03 10:00:00'),
    ],
    playlists: [{ id: 'l1', name: 'Trip', user_id: id(people.alice) }],
    playlist_items: [15, 11].map((number, position) => ({ playlist_id: 'l1', episode: id(number), position })),
    tags: [{ id: 't1', name: 'Coast', ...by('alice'), color: 'Red', description: 'By the sea' }],
    podcast_settings: [
      { podcast_id: id(1), activated: 1, ...ownSettings },
      { podcast_id: id(2), activated: 0, ...ownSettings },
      // Nobody could set these here.
      {
        podcast_id: id(3),
        activated: 1,
        auto_update: 0,
        auto_cleanup_days: -4,
        podcast_prefill: 99_999,
        replacement_strategy: 'odd',
        episode_format: '{nonsense}',
      },
    ],
    settings: [{ id: id(1), ...ownSettings, auto_cleanup_days: 365 }],
    tags_podcasts: [{ tag_id: 't1', podcast_id: id(1) }],
  }
  if (generation !== 'A') {
    const listened = (who: keyof typeof people, number: number, seconds: number, at: string) => ({
      ...by(who),
      podcast_episode_db_id: id(number),
      delta_seconds: seconds,
      listened_at: at,
    })
    rows.listening_events = [
      listened('alice', 11, 30, '2026-02-01 10:00:10'),
      listened('alice', 11, 60, '2026-02-01 10:59:59.500'),
      listened('alice', 11, 45, '2026-02-01 11:00:00'),
      // In the feed no more.
      listened('alice', 15, 20, '2026-01-05 08:00:00'),
      listened('alice', 12, -5, '2026-02-01 10:00:00'),
      listened('alice', 12, 70, 'some day'),
      // More than fits into an hour.
      listened('user123', 14, 100_000, '2026-02-03 10:00:00'),
      listened('zoe', 11, 500, '2026-02-03 10:00:00'),
    ]
  }
  if (generation === 'C') {
    const transcript = (name: string, number: number, source: string) => ({
      id: name,
      episode_id: id(number),
      source,
      language: 'en',
      status: 'parsed',
    })
    const segment = (of: string, idx: number, start: number | null, words: string, speaker: string | null = null) => ({
      transcript_id: of,
      idx,
      start_ms: start,
      end_ms: start === null ? null : start + 1500,
      speaker,
      text: words,
    })
    rows.podcast_episode_transcripts = [
      transcript('t1', 11, 'generated'),
      transcript('t2', 12, 'feed'),
      transcript('t3', 31, 'generated'),
      // Nothing was said.
      transcript('t4', 14, 'generated'),
      transcript('t5', 13, 'generated'),
    ]
    rows.podcast_episode_transcript_segments = [
      segment('t1', 1, 2000, 'of the <lighthouse> & the sea', 'Ann'),
      segment('t1', 0, 500, 'This is\nthe story'),
      segment('t2', 0, 0, 'said by the feed'),
      segment('t3', 0, null, 'without a time'),
      segment('t5', 0, 0, ' '),
    ]
    const triage = (number: number, status: string, at: string) => ({
      ...by('alice'),
      episode_id: id(number),
      status,
      updated_at: at,
    })
    rows.episode_triages = [
      triage(14, 'queued', '2026-02-02 10:00:00'),
      triage(21, 'queued', '2026-02-01 10:00:00'),
      triage(11, 'dismissed', '2026-02-01 10:00:00'),
    ]
    rows.audiobookshelf_media_progress = [
      {
        id: 'm1',
        ...by('alice'),
        library_item_id: uuid(1),
        episode_id: uuid(11),
        position_seconds: 900.5,
        duration: 1800,
        is_finished: 1,
        last_update: '2026-03-01 10:00:00',
      },
    ]
  }
  return writeForeign(path, schema(generation), rows)
}
