-- The feed names it as a trailer of the podcast and not among its items: neither news nor downloaded by a rule.
ALTER TABLE episode ADD COLUMN aside INTEGER NOT NULL DEFAULT 0;
-- The form of the episode (podcast:alternateEnclosure) that its file is; null = the main one.
ALTER TABLE episode ADD COLUMN file_form TEXT;
-- The form that a person asked for; null = the one that the podcast's settings prefer.
ALTER TABLE download ADD COLUMN form TEXT;
-- The form of new files; null = the main one.
ALTER TABLE podcast_settings ADD COLUMN preferred_form TEXT CHECK (preferred_form IN ('smallest', 'video', 'audio'));
-- The form that a listener prefers to stream.
ALTER TABLE podcast_preference ADD COLUMN form TEXT CHECK (form IN ('smallest', 'video', 'audio'));

-- Live streams that were seen to be on, so that each is told of once.
CREATE TABLE live_notice (
  podcast_id INTEGER NOT NULL REFERENCES podcast ON DELETE CASCADE,
  guid       TEXT    NOT NULL,
  title      TEXT    NOT NULL,
  seen_at    INTEGER NOT NULL,
  notified   INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (podcast_id, guid)
) STRICT, WITHOUT ROWID;
CREATE INDEX live_notice_due ON live_notice (podcast_id) WHERE notified = 0;

-- One more type of notification: a live stream has begun.
CREATE TABLE notification_of_any (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid          TEXT    NOT NULL UNIQUE,
  user_id       INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  type          TEXT    NOT NULL CHECK (
    type IN ('Download', 'NewEpisodes', 'DownloadFailed', 'SignIn', 'RenewalReused', 'Attack', 'LiveStarted')),
  message       TEXT    NOT NULL,
  created_at    INTEGER NOT NULL,
  dismissed     INTEGER NOT NULL DEFAULT 0,
  podcast_id    INTEGER REFERENCES podcast ON DELETE SET NULL,
  episode_id    INTEGER REFERENCES episode ON DELETE SET NULL,
  episode_count INTEGER NOT NULL DEFAULT 1,
  batch         INTEGER
) STRICT;
INSERT INTO notification_of_any
SELECT id, uuid, user_id, type, message, created_at, dismissed, podcast_id, episode_id, episode_count, batch
  FROM notification;
DROP TABLE notification;
ALTER TABLE notification_of_any RENAME TO notification;
CREATE INDEX notification_unread ON notification (user_id, id) WHERE dismissed = 0;
CREATE INDEX notification_user ON notification (user_id);
CREATE INDEX notification_podcast ON notification (podcast_id);
CREATE INDEX notification_episode ON notification (episode_id);
CREATE INDEX notification_batch ON notification (user_id, podcast_id, type, batch) WHERE dismissed = 0;
CREATE INDEX notification_old ON notification (created_at) WHERE dismissed = 1;

-- Who wants to hear of new episodes wants to hear of this.
UPDATE destination SET events = json_insert(events, '$[#]', 'liveStarted')
 WHERE EXISTS (SELECT 1 FROM json_each(destination.events) WHERE value = 'newEpisodes');

-- Every feed is read whole once more, for trailers, forms and live streams.
UPDATE podcast SET etag = NULL, last_modified = NULL, body_digest = NULL;
