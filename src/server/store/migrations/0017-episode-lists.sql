-- Episodes without a date of their own stand behind all others in the timeline.
ALTER TABLE episode ADD COLUMN dated INTEGER NOT NULL GENERATED ALWAYS AS (announced_at IS NOT NULL) VIRTUAL;
CREATE INDEX episode_timeline ON episode (dated, published_at, id);

-- What a user likes, has begun and has on the server, the latest first.
CREATE INDEX episode_like_recent ON episode_like (user_id, created_at, episode_id);
CREATE INDEX playback_in_progress ON playback (user_id, updated_at) WHERE played = 1 AND finished = 0;
CREATE INDEX episode_on_server ON episode (downloaded_at, id) WHERE file_path IS NOT NULL;
