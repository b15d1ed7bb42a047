-- The loudness of episodes, as the browsers of a user measured it: each user's own, since nobody can check it.
-- Archives leave it out: listening measures it again.
CREATE TABLE loudness (
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  -- LUFS, as in ITU-R BS.1770.
  lufs       REAL    NOT NULL,
  -- The seconds of sound that it is based on.
  seconds    INTEGER NOT NULL,
  PRIMARY KEY (user_id, episode_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX loudness_episode ON loudness (episode_id);

-- Whether the player brings episodes to one loudness.
ALTER TABLE user ADD COLUMN level_volume INTEGER NOT NULL DEFAULT 0;
