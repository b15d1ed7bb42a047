CREATE TABLE tag (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid        TEXT    NOT NULL UNIQUE,
  user_id     INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  name        TEXT    NOT NULL,
  -- The name as it is compared.
  name_key    TEXT    NOT NULL,
  color       TEXT    NOT NULL CHECK (color IN ('Red', 'Green', 'Blue')),
  description TEXT,
  created_at  INTEGER NOT NULL,
  UNIQUE (user_id, name_key)
) STRICT;

CREATE TABLE podcast_tag (
  podcast_id INTEGER NOT NULL REFERENCES podcast ON DELETE CASCADE,
  tag_id     INTEGER NOT NULL REFERENCES tag ON DELETE CASCADE,
  PRIMARY KEY (podcast_id, tag_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX podcast_tag_tag ON podcast_tag (tag_id);

CREATE TABLE playlist (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid       TEXT    NOT NULL UNIQUE,
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  name       TEXT    NOT NULL,
  name_key   TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (user_id, name_key)
) STRICT;

CREATE TABLE playlist_item (
  playlist_id INTEGER NOT NULL REFERENCES playlist ON DELETE CASCADE,
  episode_id  INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  place       INTEGER NOT NULL,
  PRIMARY KEY (playlist_id, episode_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX playlist_item_place ON playlist_item (playlist_id, place);
CREATE INDEX playlist_item_episode ON playlist_item (episode_id);

-- Up next; the version grows with every change.
CREATE TABLE queue (
  user_id    INTEGER PRIMARY KEY REFERENCES user ON DELETE CASCADE,
  version    INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE queue_item (
  uuid       TEXT    NOT NULL UNIQUE,
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  place      INTEGER NOT NULL,
  added_at   INTEGER NOT NULL,
  PRIMARY KEY (user_id, episode_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX queue_item_place ON queue_item (user_id, place);
CREATE INDEX queue_item_episode ON queue_item (episode_id);

-- Where an episode lies in the search index: minutes since 1970 in the upper bits, its id in the lower 26, so that the
-- index itself is in order of publication. Null = to be put in.
ALTER TABLE episode ADD COLUMN search_place INTEGER;
CREATE INDEX episode_unindexed ON episode (id) WHERE search_place IS NULL;

-- Small, so that a letter or two find something at once.
CREATE VIRTUAL TABLE title_index USING fts5 (
  title, content = '', contentless_delete = 1, detail = none, prefix = '1 2', tokenize = "unicode61 remove_diacritics 2"
);
CREATE VIRTUAL TABLE text_index USING fts5 (
  title, notes, chapters, transcript,
  content = '', contentless_delete = 1, detail = column, tokenize = "unicode61 remove_diacritics 2"
);
CREATE TRIGGER episode_reindexed AFTER UPDATE OF title, notes, published_at ON episode
WHEN old.search_place IS NOT NULL
 AND (new.title <> old.title OR new.notes <> old.notes OR new.published_at <> old.published_at) BEGIN
  DELETE FROM title_index WHERE rowid = old.search_place;
  DELETE FROM text_index WHERE rowid = old.search_place;
  UPDATE episode SET search_place = NULL WHERE id = new.id;
END;
CREATE TRIGGER episode_unindexed AFTER DELETE ON episode WHEN old.search_place IS NOT NULL BEGIN
  DELETE FROM title_index WHERE rowid = old.search_place;
  DELETE FROM text_index WHERE rowid = old.search_place;
END;

-- Long work that somebody asked for: it goes on after a restart, and is kept for a week.
CREATE TABLE job (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid        TEXT    NOT NULL UNIQUE,
  user_id     INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  kind        TEXT    NOT NULL CHECK (kind IN ('opml', 'rename')),
  state       TEXT    NOT NULL CHECK (state IN ('running', 'done', 'cancelled')),
  started_at  INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE INDEX job_user ON job (user_id, started_at);

CREATE TABLE job_item (
  job_id     INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
  place      INTEGER NOT NULL,
  feed_url   TEXT    NOT NULL,
  title      TEXT,
  -- JSON list of the folders and categories that become tags.
  tags       TEXT    NOT NULL DEFAULT '[]',
  state      TEXT    NOT NULL CHECK (state IN ('waiting', 'added', 'present', 'failed')),
  podcast_id INTEGER REFERENCES podcast ON DELETE SET NULL,
  error_code TEXT,
  message    TEXT,
  PRIMARY KEY (job_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_item_waiting ON job_item (job_id, place) WHERE state = 'waiting';

ALTER TABLE settings ADD COLUMN keep_last INTEGER;
ALTER TABLE settings ADD COLUMN delete_after_listened INTEGER NOT NULL DEFAULT 0;

CREATE TABLE notification (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid       TEXT    NOT NULL UNIQUE,
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  type       TEXT    NOT NULL CHECK (type IN ('Download', 'NewEpisodes', 'DownloadFailed')),
  message    TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  dismissed  INTEGER NOT NULL DEFAULT 0,
  podcast_id INTEGER REFERENCES podcast ON DELETE SET NULL,
  episode_id INTEGER REFERENCES episode ON DELETE SET NULL
) STRICT;
CREATE INDEX notification_unread ON notification (user_id, id) WHERE dismissed = 0;
CREATE INDEX notification_podcast ON notification (podcast_id);
CREATE INDEX notification_episode ON notification (episode_id);

-- How long somebody listened to an episode, by hours since 1970: days and weekdays are the reader's, by time zone.
CREATE TABLE listened (
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  hour       INTEGER NOT NULL,
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  podcast_id INTEGER NOT NULL REFERENCES podcast ON DELETE CASCADE,
  seconds    INTEGER NOT NULL,
  PRIMARY KEY (user_id, hour, episode_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX listened_episode ON listened (episode_id);
CREATE INDEX listened_podcast ON listened (podcast_id);
