-- Parts of episodes that a person has marked by hand.
CREATE TABLE skip_mark (
  id         INTEGER PRIMARY KEY,
  uuid       TEXT    NOT NULL UNIQUE,
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  start_ms   INTEGER NOT NULL,
  end_ms     INTEGER NOT NULL,
  -- 1 = to be skipped; 0 = to be played, whatever the title of a chapter says.
  skip       INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX skip_mark_user ON skip_mark (user_id, id);
CREATE INDEX skip_mark_episode ON skip_mark (episode_id, user_id, id);

-- Whether a person wants to be spared the marked parts of a podcast.
ALTER TABLE podcast_preference ADD COLUMN skip_marked INTEGER NOT NULL DEFAULT 0;
