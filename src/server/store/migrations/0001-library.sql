-- Ids that name things in memory or on the way (AUTOINCREMENT) are never given a second time.
CREATE TABLE user (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid             TEXT    NOT NULL UNIQUE,
  username         TEXT    NOT NULL COLLATE NOCASE UNIQUE,
  role             TEXT    NOT NULL CHECK (role IN ('admin', 'uploader', 'user')),
  explicit_consent INTEGER NOT NULL DEFAULT 0,
  created_at       INTEGER NOT NULL,
  -- The account of open mode: it has no password and cannot be changed.
  built_in         INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE podcast (
  id                INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid              TEXT    NOT NULL UNIQUE,
  title             TEXT    NOT NULL,
  -- Set when a person renamed it: refreshes keep the name then.
  renamed           INTEGER NOT NULL DEFAULT 0,
  folder            TEXT    NOT NULL UNIQUE,
  author            TEXT,
  summary           TEXT,
  language          TEXT,
  keywords          TEXT,
  link              TEXT,
  guid              TEXT,
  medium            TEXT,
  explicit          INTEGER NOT NULL DEFAULT 0,
  serial            INTEGER NOT NULL DEFAULT 0,
  image_url         TEXT,
  extras            TEXT    NOT NULL DEFAULT '{}',
  built_at          INTEGER,
  added_at          INTEGER NOT NULL,
  added_by          INTEGER REFERENCES user ON DELETE SET NULL,

  feed_url          TEXT    NOT NULL UNIQUE,
  -- Somebody entitled to it added a feed on a private address: it may reach its own address again.
  private           INTEGER NOT NULL DEFAULT 0,
  active            INTEGER NOT NULL DEFAULT 1,
  gone              INTEGER NOT NULL DEFAULT 0,
  etag              TEXT,
  last_modified     TEXT,
  body_digest       TEXT,
  fetched_whole_at  INTEGER,
  checked_at        INTEGER,
  next_check_at     INTEGER NOT NULL,
  interval_ms       INTEGER,
  failures          INTEGER NOT NULL DEFAULT 0,
  error_code        TEXT,
  error_message     TEXT,
  error_since       INTEGER,
  warnings          INTEGER NOT NULL DEFAULT 0,

  -- Kept by the triggers below.
  episode_count     INTEGER NOT NULL DEFAULT 0,
  last_episode_at   INTEGER
) STRICT;
CREATE INDEX podcast_due ON podcast (next_check_at) WHERE active = 1 AND gone = 0;
CREATE INDEX podcast_guid ON podcast (guid) WHERE guid IS NOT NULL;

-- Addresses under which a podcast was known before: the same feed is not added twice.
CREATE TABLE feed_alias (
  url        TEXT    PRIMARY KEY,
  podcast_id INTEGER NOT NULL REFERENCES podcast ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX feed_alias_podcast ON feed_alias (podcast_id);

-- User name and password of a feed, sealed with the server's secret.
CREATE TABLE feed_credential (
  podcast_id INTEGER PRIMARY KEY REFERENCES podcast ON DELETE CASCADE,
  sealed     BLOB    NOT NULL
) STRICT;

CREATE TABLE episode (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid           TEXT    NOT NULL UNIQUE,
  eid            TEXT    NOT NULL UNIQUE,
  podcast_id     INTEGER NOT NULL REFERENCES podcast ON DELETE CASCADE,
  guid           TEXT    NOT NULL,
  title          TEXT    NOT NULL,
  -- Sanitised HTML.
  notes          TEXT    NOT NULL DEFAULT '',
  link           TEXT,
  enclosure_url  TEXT    NOT NULL,
  enclosure_type TEXT,
  -- The feed's word for it: a hint.
  enclosure_size INTEGER,
  image_url      TEXT,
  -- min(announced, first seen), so that no feed can pin an episode to the top.
  published_at   INTEGER NOT NULL,
  announced_at   INTEGER,
  first_seen_at  INTEGER NOT NULL,
  duration       INTEGER NOT NULL DEFAULT 0,
  season         INTEGER,
  number         REAL,
  type           TEXT    NOT NULL DEFAULT 'full' CHECK (type IN ('full', 'trailer', 'bonus')),
  explicit       INTEGER NOT NULL DEFAULT 0,
  chapters_url   TEXT,
  transcripts    TEXT,
  extras         TEXT,
  -- Digest of what the feed says of it: tells an edited item from an unchanged one.
  digest         TEXT    NOT NULL,
  in_feed        INTEGER NOT NULL DEFAULT 1,

  -- Below the media folder; null = not downloaded.
  file_path      TEXT    UNIQUE,
  file_size      INTEGER,
  file_type      TEXT,
  downloaded_at  INTEGER,
  -- A person or a rule removed the file: no rule fetches it again.
  removed        INTEGER NOT NULL DEFAULT 0,
  UNIQUE (podcast_id, guid)
) STRICT;
CREATE INDEX episode_of_podcast ON episode (podcast_id, published_at, id);
CREATE INDEX episode_newest ON episode (published_at, id);
CREATE INDEX episode_downloaded ON episode (podcast_id, published_at, id) WHERE file_path IS NOT NULL;

CREATE TRIGGER episode_counted AFTER INSERT ON episode BEGIN
  UPDATE podcast
     SET episode_count = episode_count + 1,
         last_episode_at = max(coalesce(last_episode_at, 0), new.published_at)
   WHERE id = new.podcast_id;
END;
CREATE TRIGGER episode_uncounted AFTER DELETE ON episode BEGIN
  UPDATE podcast
     SET episode_count = episode_count - 1,
         last_episode_at = (SELECT max(published_at) FROM episode WHERE podcast_id = old.podcast_id)
   WHERE id = old.podcast_id;
END;
CREATE TRIGGER episode_moved AFTER UPDATE OF published_at ON episode BEGIN
  UPDATE podcast
     SET last_episode_at = (SELECT max(published_at) FROM episode WHERE podcast_id = new.podcast_id)
   WHERE id = new.podcast_id;
END;

CREATE TABLE favourite (
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  podcast_id INTEGER NOT NULL REFERENCES podcast ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, podcast_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX favourite_podcast ON favourite (podcast_id);

CREATE TABLE episode_like (
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, episode_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX episode_like_episode ON episode_like (episode_id);

CREATE TABLE list_filter (
  user_id      INTEGER PRIMARY KEY REFERENCES user ON DELETE CASCADE,
  title        TEXT,
  ascending    INTEGER NOT NULL,
  sort         TEXT    NOT NULL CHECK (sort IN ('TITLE', 'PUBLISHEDDATE')),
  only_favored INTEGER NOT NULL
) STRICT;

-- Where a user is in an episode; the newest report wins.
CREATE TABLE playback (
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  podcast_id INTEGER NOT NULL,
  started    INTEGER,
  position   INTEGER NOT NULL,
  total      INTEGER,
  finished   INTEGER NOT NULL DEFAULT 0,
  -- Begun or finished: a position that was set back to 0 counts as unplayed.
  played     INTEGER GENERATED ALWAYS AS (position > 0 OR finished) STORED,
  device     TEXT    NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, episode_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX playback_recent ON playback (user_id, updated_at) WHERE played = 1;
CREATE INDEX playback_episode ON playback (episode_id);

-- How many episodes of a podcast a user has begun and finished: counted here once, not at every look.
CREATE TABLE listening (
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  podcast_id INTEGER NOT NULL REFERENCES podcast ON DELETE CASCADE,
  played     INTEGER NOT NULL DEFAULT 0,
  finished   INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, podcast_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX listening_podcast ON listening (podcast_id);

CREATE TRIGGER playback_counted AFTER INSERT ON playback BEGIN
  INSERT INTO listening (user_id, podcast_id, played, finished)
  VALUES (new.user_id, new.podcast_id, new.played, new.finished)
  ON CONFLICT DO UPDATE SET played = played + new.played, finished = finished + new.finished;
END;
CREATE TRIGGER playback_recounted AFTER UPDATE ON playback
WHEN new.played <> old.played OR new.finished <> old.finished BEGIN
  UPDATE listening
     SET played = played + new.played - old.played, finished = finished + new.finished - old.finished
   WHERE user_id = new.user_id AND podcast_id = new.podcast_id;
END;
CREATE TRIGGER playback_uncounted AFTER DELETE ON playback BEGIN
  UPDATE listening
     SET played = played - old.played, finished = finished - old.finished
   WHERE user_id = old.user_id AND podcast_id = old.podcast_id;
END;

CREATE TABLE download (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid            TEXT    NOT NULL UNIQUE,
  episode_id      INTEGER NOT NULL UNIQUE REFERENCES episode ON DELETE CASCADE,
  state           TEXT    NOT NULL CHECK (state IN ('queued', 'running', 'waiting', 'paused', 'failed', 'done')),
  attempts        INTEGER NOT NULL DEFAULT 0,
  -- What is safely on the disk of the .part file: a resumed download goes on from here.
  received_bytes  INTEGER NOT NULL DEFAULT 0,
  -- The run of the machine in which the .part file was last written: within it no written byte can be lost.
  boot_id         TEXT,
  total_bytes     INTEGER,
  -- Validator of the body that the .part file belongs to.
  etag            TEXT,
  last_modified   TEXT,
  -- Where the whole file will lie, noted before it is moved there: a crash in between is mended at the next start.
  target_path     TEXT,
  error_code      TEXT,
  message         TEXT,
  next_attempt_at INTEGER,
  created_at      INTEGER NOT NULL,
  started_at      INTEGER,
  finished_at     INTEGER,
  automatic       INTEGER NOT NULL,
  requested_by    INTEGER REFERENCES user ON DELETE SET NULL
) STRICT;
CREATE INDEX download_state ON download (state, next_attempt_at, id);

CREATE TABLE cover (
  id         INTEGER PRIMARY KEY,
  podcast_id INTEGER NOT NULL REFERENCES podcast ON DELETE CASCADE,
  url        TEXT    NOT NULL,
  -- SHA-256 of the bytes, null until they were fetched.
  digest     TEXT,
  type       TEXT,
  fetched_at INTEGER,
  failures   INTEGER NOT NULL DEFAULT 0,
  retry_at   INTEGER,
  UNIQUE (podcast_id, url)
) STRICT;
CREATE INDEX cover_digest ON cover (digest);

CREATE TABLE settings (
  id                INTEGER PRIMARY KEY CHECK (id = 1),
  uuid              TEXT    NOT NULL,
  auto_cleanup      INTEGER NOT NULL DEFAULT 0,
  auto_cleanup_days INTEGER NOT NULL DEFAULT 30,
  auto_update       INTEGER NOT NULL DEFAULT 1,
  auto_download     INTEGER NOT NULL DEFAULT 1,
  podcast_prefill   INTEGER NOT NULL DEFAULT 5,
  downloads_paused  INTEGER NOT NULL DEFAULT 0
) STRICT;
