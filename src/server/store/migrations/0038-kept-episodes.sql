-- Episodes that a playlist with rules keeps downloaded though their measured length may no longer match.
CREATE TABLE kept_episode (
  playlist_id INTEGER NOT NULL REFERENCES playlist ON DELETE CASCADE,
  episode_id  INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  PRIMARY KEY (playlist_id, episode_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_episode_episode ON kept_episode (episode_id);
