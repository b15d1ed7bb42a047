-- For an assistant: null = the password of another app. An assistant's key opens its calls alone, and reads or also changes.
ALTER TABLE app_password ADD COLUMN assistant TEXT CHECK (assistant IN ('reads', 'changes'));

-- Passages of episodes that users show to everybody who knows the address.
CREATE TABLE clip (
  id         INTEGER PRIMARY KEY,
  uuid       TEXT    NOT NULL UNIQUE,
  -- Random; the end of the public address.
  code       TEXT    NOT NULL UNIQUE,
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  start_ms   INTEGER NOT NULL,
  end_ms     INTEGER NOT NULL,
  title      TEXT    NOT NULL,
  quote      TEXT    NOT NULL,
  file_type  TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  ends_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX clip_user ON clip (user_id, created_at);
CREATE INDEX clip_episode ON clip (episode_id);
CREATE INDEX clip_end ON clip (ends_at);
