-- When an episode came first that its publisher has published again; NULL = just once.
ALTER TABLE episode ADD COLUMN first_published_at INTEGER;
-- The publisher offers another recording than the file that is here.
ALTER TABLE episode ADD COLUMN newer_recording INTEGER NOT NULL DEFAULT 0;
-- Episodes whose guid another one of the podcast has: apps know them by the publisher's.
CREATE INDEX episode_own_guid ON episode (podcast_id, feed_guid) WHERE guid <> feed_guid;

-- What a feed says, or said, of an episode besides its row. 'before': until it was published again. 'same': of another
-- item that a person found to be the same episode; readings recognise it as they do rows.
CREATE TABLE former_episode (
  id                 INTEGER PRIMARY KEY,
  podcast_id         INTEGER NOT NULL REFERENCES podcast ON DELETE CASCADE,
  episode_id         INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  kind               TEXT    NOT NULL CHECK (kind IN ('before', 'same')),
  at                 INTEGER NOT NULL,
  published_at       INTEGER NOT NULL,
  feed_guid          TEXT,
  title              TEXT    NOT NULL,
  enclosure_url      TEXT    NOT NULL,
  enclosure_type     TEXT,
  enclosure_size     INTEGER,
  announced_at       INTEGER,
  announced_duration INTEGER NOT NULL,
  digest             TEXT    NOT NULL,
  in_feed            INTEGER NOT NULL
) STRICT;
CREATE INDEX former_episode_podcast ON former_episode (podcast_id, kind);
CREATE INDEX former_episode_episode ON former_episode (episode_id, kind);

-- Episodes that a person found to be two.
CREATE TABLE episode_apart (
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  other_id   INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  PRIMARY KEY (episode_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX episode_apart_other ON episode_apart (other_id);

-- Pairs of rows that may be one episode, which the healing of earlier releases' libraries was not sure of.
CREATE TABLE unsure_twin (
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  other_id   INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  PRIMARY KEY (episode_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX unsure_twin_other ON unsure_twin (other_id);
