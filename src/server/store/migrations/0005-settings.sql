ALTER TABLE settings ADD COLUMN episode_numbering INTEGER NOT NULL DEFAULT 0;
ALTER TABLE settings ADD COLUMN use_existing_filename INTEGER NOT NULL DEFAULT 0;
ALTER TABLE settings ADD COLUMN replace_invalid_characters INTEGER NOT NULL DEFAULT 1;
ALTER TABLE settings ADD COLUMN direct_paths INTEGER NOT NULL DEFAULT 0;
ALTER TABLE settings ADD COLUMN replacement_strategy TEXT NOT NULL DEFAULT 'replace-with-dash';
ALTER TABLE settings ADD COLUMN episode_format TEXT NOT NULL DEFAULT '{episodeTitle}';
ALTER TABLE settings ADD COLUMN podcast_format TEXT NOT NULL DEFAULT '{podcastTitle}';

CREATE INDEX download_place ON download (state, id);
-- How many episodes there are, without reading the podcasts.
CREATE INDEX podcast_counts ON podcast (episode_count, explicit);
-- What a search looks at, likewise.
CREATE INDEX podcast_titles ON podcast (title, uuid, explicit);

-- What a podcast has otherwise than the server; null = as the server has it.
CREATE TABLE podcast_settings (
  podcast_id                 INTEGER PRIMARY KEY REFERENCES podcast ON DELETE CASCADE,
  auto_update                INTEGER,
  auto_download              INTEGER,
  auto_cleanup               INTEGER,
  delete_after_listened      INTEGER,
  auto_cleanup_days          INTEGER,
  podcast_prefill            INTEGER,
  keep_last                  INTEGER,
  episode_numbering          INTEGER,
  use_existing_filename      INTEGER,
  replace_invalid_characters INTEGER,
  direct_paths               INTEGER,
  replacement_strategy       TEXT,
  episode_format             TEXT,
  podcast_format             TEXT,
  -- The server has no such settings.
  max_new_per_refresh        INTEGER,
  include                    TEXT,
  exclude                    TEXT,
  skip_trailers              INTEGER,
  user_agent                 TEXT
) STRICT;

-- How a user wants to hear a podcast.
CREATE TABLE podcast_preference (
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  podcast_id INTEGER NOT NULL REFERENCES podcast ON DELETE CASCADE,
  speed      REAL,
  boost      INTEGER,
  skip_intro INTEGER NOT NULL DEFAULT 0,
  skip_outro INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, podcast_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX podcast_preference_podcast ON podcast_preference (podcast_id);

-- What marking many episodes at once has changed, so that it can be taken back: the last time of each user.
CREATE TABLE marked_before (
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  mark       TEXT    NOT NULL,
  marked_at  INTEGER NOT NULL,
  position   INTEGER NOT NULL,
  finished   INTEGER NOT NULL,
  PRIMARY KEY (user_id, episode_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX marked_before_episode ON marked_before (episode_id);

-- Files to be renamed are items of a job, too: whose file, and where it goes.
ALTER TABLE job_item ADD COLUMN episode_id INTEGER REFERENCES episode ON DELETE CASCADE;
ALTER TABLE job_item ADD COLUMN target_path TEXT;
ALTER TABLE job_item ADD COLUMN with_metadata INTEGER NOT NULL DEFAULT 0;
CREATE INDEX job_item_episode ON job_item (episode_id) WHERE episode_id IS NOT NULL;

-- The number stands in the title within the file.
ALTER TABLE episode ADD COLUMN numbered INTEGER NOT NULL DEFAULT 0;
