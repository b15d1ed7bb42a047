-- One more type of notification: somebody guesses at the password of an account.
CREATE TABLE notification_of_any (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid          TEXT    NOT NULL UNIQUE,
  user_id       INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  type          TEXT    NOT NULL CHECK (
    type IN ('Download', 'NewEpisodes', 'DownloadFailed', 'SignIn', 'RenewalReused', 'Attack')),
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

-- Who wants to hear of sign-ins wants to hear of this.
UPDATE destination SET events = json_insert(events, '$[#]', 'accountAttacked')
 WHERE EXISTS (SELECT 1 FROM json_each(destination.events) WHERE value = 'signedInElsewhere');
