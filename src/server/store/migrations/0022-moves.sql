-- Moves from other programs. A copy of the file lies in the data folder under the uuid until the move has ended.
CREATE TABLE move (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid         TEXT    NOT NULL UNIQUE,
  -- Who receives what the source gives to nobody by name.
  user_id      INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  source       TEXT    NOT NULL,
  file_name    TEXT    NOT NULL,
  -- The only user that the source names, who is the same person then; null = none or several.
  own_name     TEXT,
  state        TEXT    NOT NULL CHECK (state IN ('adding', 'applying', 'done', 'failed')),
  -- Items of the source that are applied: the rest follows after a restart.
  applied      INTEGER NOT NULL DEFAULT 0,
  message      TEXT,
  -- The latest podcast before it: ids only grow, times may not.
  last_podcast INTEGER NOT NULL,
  started_at   INTEGER NOT NULL,
  finished_at  INTEGER
) STRICT;
CREATE INDEX move_user ON move (user_id);
CREATE INDEX move_running ON move (id) WHERE state IN ('adding', 'applying');

-- Its podcasts, noted before the first of them is added.
CREATE TABLE move_podcast (
  move_id    INTEGER NOT NULL REFERENCES move ON DELETE CASCADE,
  place      INTEGER NOT NULL,
  feed_url   TEXT    NOT NULL,
  title      TEXT,
  own_title  TEXT,
  guid       TEXT,
  active     INTEGER NOT NULL,
  -- User name and password of the feed, sealed with the server's secret.
  sealed     BLOB,
  -- `unread`: added, but its feed has not answered; `refused`: left out.
  state      TEXT    NOT NULL CHECK (state IN ('waiting', 'added', 'present', 'unread', 'refused')),
  podcast_id INTEGER REFERENCES podcast ON DELETE SET NULL,
  error_code TEXT,
  message    TEXT,
  PRIMARY KEY (move_id, place)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX move_podcast_feed ON move_podcast (move_id, feed_url);
CREATE INDEX move_podcast_podcast ON move_podcast (podcast_id) WHERE podcast_id IS NOT NULL;

-- The report: how many of each kind and feed were taken, were here, or were left out and why. No feed and no reason
-- are ''.
CREATE TABLE move_count (
  move_id  INTEGER NOT NULL REFERENCES move ON DELETE CASCADE,
  feed_url TEXT    NOT NULL,
  kind     TEXT    NOT NULL,
  outcome  TEXT    NOT NULL CHECK (outcome IN ('taken', 'present', 'left-out')),
  reason   TEXT    NOT NULL,
  total    INTEGER NOT NULL,
  PRIMARY KEY (move_id, feed_url, kind, outcome, reason)
) STRICT, WITHOUT ROWID;

-- What it made or changed, in order, with what was there before: taking it all back goes through them from the end.
CREATE TABLE move_change (
  move_id    INTEGER NOT NULL REFERENCES move ON DELETE CASCADE,
  place      INTEGER NOT NULL,
  -- The item of the source.
  item       INTEGER NOT NULL,
  kind       TEXT    NOT NULL,
  user_id    INTEGER,
  podcast_id INTEGER,
  episode_id INTEGER,
  -- The tag, playlist or bookmark.
  other_id   INTEGER,
  -- JSON; null = there was nothing, and the row was made.
  before     TEXT,
  PRIMARY KEY (move_id, place)
) STRICT, WITHOUT ROWID;
