-- Which episode of the library an action is about, whatever address and guid the app has for it.
ALTER TABLE episode_action ADD COLUMN episode_id INTEGER REFERENCES episode ON DELETE SET NULL;
CREATE INDEX episode_action_of ON episode_action (episode_id);
WITH feed (url, podcast_id) AS (SELECT feed_url, id FROM podcast UNION ALL SELECT url, podcast_id FROM feed_alias)
UPDATE episode_action
   SET episode_id = coalesce(
         (SELECT e.id FROM feed f JOIN episode e ON e.podcast_id = f.podcast_id AND e.guid = episode_action.guid
           WHERE f.url = episode_action.feed_url LIMIT 1),
         (SELECT e.id FROM feed f JOIN episode e ON e.podcast_id = f.podcast_id AND e.enclosure_url = episode_action.media_url
           WHERE f.url = episode_action.feed_url LIMIT 1));
-- One episode has one key: that of the library, else the feed's guid, else the address of its media.
ALTER TABLE episode_action ADD COLUMN episode_key TEXT
  GENERATED ALWAYS AS (coalesce('#' || episode_id, feed_key || ' ' || guid, media_key)) VIRTUAL;
CREATE INDEX episode_action_episode ON episode_action (user_id, episode_key, at, id);

-- Every feed is read whole once more, for categories and owners of podcasts.
UPDATE podcast SET etag = NULL, last_modified = NULL, body_digest = NULL;

-- Up to when a device was told its list, which is not when it synced last: it may have sent something since.
ALTER TABLE device ADD COLUMN told_at INTEGER;
UPDATE device SET told_at = last_sync_at;
-- A phone that speaks Nextcloud's dialect has no name of its own, but a password.
ALTER TABLE device ADD COLUMN app_password_id INTEGER REFERENCES app_password ON DELETE CASCADE;
CREATE UNIQUE INDEX device_app_password ON device (app_password_id);

-- What such a phone asked last, by its own clock, and what it was answered by ours: it may ask from a time to come.
CREATE TABLE sync_asked (
  device_id   INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
  what        TEXT    NOT NULL CHECK (what IN ('subscriptions', 'actions')),
  -- As the phone asked.
  since       INTEGER NOT NULL,
  -- From where on it was answered, and until when.
  begun_at    INTEGER NOT NULL,
  answered_at INTEGER NOT NULL,
  PRIMARY KEY (device_id, what)
) STRICT, WITHOUT ROWID;
