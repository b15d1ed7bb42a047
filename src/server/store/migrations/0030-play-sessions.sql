-- Episodes that apps play, or played without a network: one row for each time that a person began.
CREATE TABLE play_session (
  -- Random; while the session is open it is the key to the episode's media.
  uuid           TEXT    PRIMARY KEY,
  user_id        INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  episode_id     INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  -- The sign-in that began it and that ends it; null = it was played without a network, or the sign-in is over.
  app_session_id INTEGER REFERENCES app_session ON DELETE SET NULL,
  device_id      TEXT    NOT NULL,
  device_name    TEXT    NOT NULL,
  started_at     INTEGER NOT NULL,
  -- When the server heard of it last.
  updated_at     INTEGER NOT NULL,
  -- When it was played last by the app's own clock; null = while the server was told.
  said_at        INTEGER,
  start_position REAL    NOT NULL,
  position       REAL    NOT NULL,
  -- Seconds heard so far.
  listened       REAL    NOT NULL DEFAULT 0,
  is_open        INTEGER NOT NULL,
  -- JSON that the app said of itself.
  info           TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX play_session_user ON play_session (user_id, updated_at);
CREATE INDEX play_session_episode ON play_session (episode_id);
CREATE INDEX play_session_app ON play_session (app_session_id) WHERE app_session_id IS NOT NULL;
CREATE INDEX play_session_device ON play_session (user_id, device_id) WHERE is_open = 1;
CREATE INDEX play_session_age ON play_session (updated_at);

-- Episodes that a user does not want to continue. The row goes with the next change of the position.
CREATE TABLE playback_hidden (
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  at         INTEGER NOT NULL,
  PRIMARY KEY (user_id, episode_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX playback_hidden_episode ON playback_hidden (episode_id);

-- A report that arrives late tells of what was played before it was hidden.
CREATE TRIGGER playback_shown AFTER UPDATE ON playback
WHEN new.position <> old.position OR new.finished <> old.finished BEGIN
  DELETE FROM playback_hidden
   WHERE user_id = new.user_id AND episode_id = new.episode_id AND at <= new.updated_at;
END;
CREATE TRIGGER playback_forgotten AFTER DELETE ON playback BEGIN
  DELETE FROM playback_hidden WHERE user_id = old.user_id AND episode_id = old.episode_id;
END;
