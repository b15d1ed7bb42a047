-- Where new episodes of a podcast enter a user's queue by themselves; null = nowhere.
ALTER TABLE podcast_preference ADD COLUMN queue_new TEXT CHECK (queue_new IN ('front', 'end'));
-- The most episodes of the podcast that wait in the queue then.
ALTER TABLE podcast_preference ADD COLUMN queue_most INTEGER NOT NULL DEFAULT 3;

-- Whether the episode came by itself, and makes room for a newer one.
ALTER TABLE queue_item ADD COLUMN automatic INTEGER NOT NULL DEFAULT 0;

-- New episodes on their way into queues: noted with the episode itself, gone in the transaction that queues them.
CREATE TABLE queue_arrival (
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  PRIMARY KEY (episode_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX queue_arrival_user ON queue_arrival (user_id);

-- What plays when the queue has ended.
ALTER TABLE queue ADD COLUMN continue_with TEXT NOT NULL DEFAULT 'nothing'
  CHECK (continue_with IN ('nothing', 'podcast', 'playlist', 'newest'));

-- The name of the queue in use; null = the main queue, which was never given one.
ALTER TABLE queue ADD COLUMN name TEXT;

-- Queues that were put aside.
CREATE TABLE saved_queue (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid       TEXT    NOT NULL UNIQUE,
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  name       TEXT,
  -- The name as it is compared.
  name_key   TEXT,
  saved_at   INTEGER NOT NULL,
  -- The few that were deleted last can be taken back.
  deleted_at INTEGER
) STRICT;
CREATE INDEX saved_queue_user ON saved_queue (user_id, deleted_at, saved_at);

CREATE TABLE saved_queue_item (
  saved_queue_id INTEGER NOT NULL REFERENCES saved_queue ON DELETE CASCADE,
  episode_id     INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  place          INTEGER NOT NULL,
  added_at       INTEGER NOT NULL,
  automatic      INTEGER NOT NULL,
  PRIMARY KEY (saved_queue_id, episode_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX saved_queue_item_episode ON saved_queue_item (episode_id);
