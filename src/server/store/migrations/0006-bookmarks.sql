-- Moments of episodes that somebody wants to come back to.
CREATE TABLE bookmark (
  id         INTEGER PRIMARY KEY,
  uuid       TEXT    NOT NULL UNIQUE,
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  -- Seconds.
  time       INTEGER NOT NULL,
  note       TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX bookmark_user ON bookmark (user_id, id);
CREATE INDEX bookmark_episode ON bookmark (episode_id, user_id, time);
