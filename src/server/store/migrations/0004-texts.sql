-- Chapters of an episode: from a document that the feed names, from the feed itself, from the audio file, or read out of
-- the show notes.
CREATE TABLE chapter (
  id         INTEGER PRIMARY KEY,
  uuid       TEXT    NOT NULL UNIQUE,
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  source     TEXT    NOT NULL CHECK (source IN ('document', 'feed', 'file', 'notes')),
  start_ms   INTEGER NOT NULL,
  end_ms     INTEGER,
  title      TEXT    NOT NULL,
  href       TEXT,
  image_url  TEXT
) STRICT;
CREATE INDEX chapter_episode ON chapter (episode_id, source, start_ms);
ALTER TABLE episode ADD COLUMN has_own_chapters INTEGER NOT NULL DEFAULT 0;

-- Chapters or a transcript that a feed names for an episode; fetched when due, and kept.
CREATE TABLE document (
  id         INTEGER PRIMARY KEY,
  uuid       TEXT    NOT NULL UNIQUE,
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  kind       TEXT    NOT NULL CHECK (kind IN ('chapters', 'transcript')),
  -- Order in the feed.
  place      INTEGER NOT NULL,
  url        TEXT    NOT NULL,
  type       TEXT    NOT NULL,
  language   TEXT,
  state      TEXT    NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'parsed', 'failed')),
  error      TEXT,
  -- As it came, and what it says, both compressed by zstd.
  body       BLOB,
  segments   BLOB,
  fetched_at INTEGER,
  failures   INTEGER NOT NULL DEFAULT 0,
  -- Null: nobody needs it yet, or it is here.
  due_at     INTEGER,
  UNIQUE (episode_id, kind, url)
) STRICT;
CREATE INDEX document_place ON document (episode_id, kind, place);
CREATE INDEX document_due ON document (due_at) WHERE due_at IS NOT NULL;

INSERT INTO document (uuid, episode_id, kind, place, url, type)
SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' ||
             substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
       id, 'chapters', 0, chapters_url, 'application/json'
  FROM episode WHERE chapters_url IS NOT NULL;
INSERT OR IGNORE INTO document (uuid, episode_id, kind, place, url, type, language)
SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' ||
             substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
       e.id, 'transcript', t.key, t.value ->> 'url', coalesce(t.value ->> 'type', 'text/plain'), t.value ->> 'language'
  FROM episode e, json_each(e.transcripts) t WHERE e.transcripts IS NOT NULL;
