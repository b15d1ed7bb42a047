-- Whether a person is notified of a podcast; null = if they added it or favour it.
ALTER TABLE podcast_preference ADD COLUMN notify INTEGER;
-- Whether the episodes of a podcast are listed in a person's timeline.
ALTER TABLE podcast_preference ADD COLUMN in_timeline INTEGER NOT NULL DEFAULT 1;
CREATE INDEX podcast_preference_notify ON podcast_preference (podcast_id, notify, user_id) WHERE notify IS NOT NULL;
