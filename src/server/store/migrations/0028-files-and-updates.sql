-- The number of downloads at once; null = as the configuration has it.
ALTER TABLE settings ADD COLUMN parallel_downloads INTEGER;
-- Covers and NFO files beside the files of episodes, for other programs.
ALTER TABLE settings ADD COLUMN sidecars INTEGER NOT NULL DEFAULT 0;
ALTER TABLE settings ADD COLUMN write_tags INTEGER NOT NULL DEFAULT 0;

-- The newest version that the address of the configuration named, and how the last check ended: one row at most.
CREATE TABLE update_check (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  -- Of what the answers below belong to.
  address    TEXT    NOT NULL,
  checked_at INTEGER NOT NULL,
  -- Null = the check failed before it ever succeeded.
  version    TEXT,
  url        TEXT,
  notes      TEXT,
  -- Null = the last check succeeded.
  failure    TEXT CHECK (failure IN ('unreachable', 'refused', 'unreadable')),
  -- The status of a refusal.
  status     INTEGER
) STRICT;

-- What was written beside the files of episodes, by its path below the media folder. One path may serve many episodes.
-- '' is no file: it stands for an episode whose sidecars are to be looked at.
CREATE TABLE sidecar (
  path       TEXT    NOT NULL,
  -- Null = the episode is gone.
  episode_id INTEGER REFERENCES episode ON DELETE SET NULL,
  -- Of the bytes that were written; null = nothing, or not to its end.
  digest     TEXT,
  UNIQUE (path, episode_id)
) STRICT;
CREATE INDEX sidecar_episode ON sidecar (episode_id, path);

-- Whoever gives an episode a file, moves it or takes it away has its sidecars looked at, also if the process is killed
-- right after that.
CREATE TRIGGER sidecar_of_file AFTER UPDATE OF file_path, file_storage ON episode
WHEN new.file_path IS NOT old.file_path OR new.file_storage <> old.file_storage
BEGIN
  INSERT OR IGNORE INTO sidecar (path, episode_id)
  SELECT '', new.id
   WHERE (new.file_path IS NOT NULL AND (SELECT sidecars FROM settings))
      OR EXISTS (SELECT 1 FROM sidecar WHERE episode_id = new.id);
END;
