-- The bytes from which each episode was read: an item with the same bytes is not read again. Whatever else changes what
-- is known of an episode forgets them.
CREATE TABLE read_item (
  episode_id INTEGER PRIMARY KEY REFERENCES episode (id) ON DELETE CASCADE,
  hash INTEGER NOT NULL
) STRICT;
CREATE TRIGGER read_item_changed
AFTER UPDATE OF feed_guid, title, enclosure_url, enclosure_type, enclosure_size, announced_at, announced_duration, digest
ON episode BEGIN
  DELETE FROM read_item WHERE episode_id = old.id;
END;
