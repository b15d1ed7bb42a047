-- The author of an episode, where it is not that of its podcast.
ALTER TABLE episode ADD COLUMN author TEXT;
DROP TRIGGER episode_reindexed;
CREATE TRIGGER episode_reindexed AFTER UPDATE OF title, notes, author, published_at ON episode
WHEN old.search_place IS NOT NULL
 AND (new.title <> old.title OR new.notes <> old.notes OR new.author IS NOT old.author
      OR new.published_at <> old.published_at) BEGIN
  DELETE FROM title_index WHERE rowid = old.search_place;
  DELETE FROM text_index WHERE rowid = old.search_place;
  UPDATE episode SET search_place = NULL WHERE id = new.id;
END;
-- Feeds are read once more, for the authors of the episodes that are known.
UPDATE podcast SET etag = NULL, last_modified = NULL, body_digest = NULL;

-- At which size the host ended a file before the length that it announced, and how often in a row.
ALTER TABLE download ADD COLUMN ended_size INTEGER;
ALTER TABLE download ADD COLUMN ended_count INTEGER NOT NULL DEFAULT 0;

-- Whether an MP4 was searched for its index: later downloads are refused without it, earlier ones were not.
ALTER TABLE episode ADD COLUMN index_sought INTEGER NOT NULL DEFAULT 1;
UPDATE episode SET index_sought = 0
 WHERE file_path IS NOT NULL AND (file_type LIKE '%mp4%' OR file_type LIKE '%m4a%' OR file_type LIKE '%m4b%'
   OR file_type LIKE '%m4v%' OR file_type LIKE '%quicktime%' OR file_type LIKE '%3gp%');
CREATE INDEX episode_index_unsought ON episode (id) WHERE index_sought = 0;

-- Actions of apps that give the address of an episode as that of its podcast, until their episode is here.
CREATE INDEX episode_action_of_address ON episode_action (at, id) WHERE feed_key = media_key AND episode_id IS NULL;
