-- Two parts of equal size are merged when there is time.
INSERT INTO title_index (title_index, rank) VALUES ('usermerge', 2);
INSERT INTO text_index (text_index, rank) VALUES ('usermerge', 2);

-- Names of files are compared without case, as some file systems do.
CREATE INDEX episode_file ON episode (file_path COLLATE NOCASE) WHERE file_path IS NOT NULL;
CREATE INDEX download_target ON download (target_path COLLATE NOCASE) WHERE target_path IS NOT NULL;

-- Read at every start and once an hour, to correct times in the future.
CREATE INDEX playback_unplayed ON playback (user_id, updated_at) WHERE played = 0;
CREATE INDEX cover_retry ON cover (retry_at) WHERE retry_at IS NOT NULL;
CREATE INDEX cover_fetched ON cover (fetched_at) WHERE fetched_at IS NOT NULL;
CREATE INDEX marked_before_age ON marked_before (marked_at);
CREATE INDEX notification_old ON notification (created_at) WHERE dismissed = 1;

-- Read when a podcast is added and when one is deleted.
CREATE INDEX subscription_feed ON subscription (feed_key) WHERE subscribed = 1 AND device IS NOT NULL;
CREATE INDEX job_item_podcast ON job_item (podcast_id) WHERE podcast_id IS NOT NULL;
