-- New episodes that those who added or favour their podcast have not been notified of; the row goes with the notice.
-- `reading`: their feed has not been stored to its end; `downloading`: to be announced once the file is here.
CREATE TABLE announcement (
  episode_id INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
  state      TEXT    NOT NULL CHECK (state IN ('reading', 'downloading', 'published', 'downloaded'))
) STRICT;
CREATE INDEX announcement_due ON announcement (episode_id) WHERE state IN ('published', 'downloaded');
CREATE INDEX announcement_reading ON announcement (episode_id) WHERE state = 'reading';

-- Who asked for a download by hand, until they are notified of how it ended.
CREATE TABLE download_request (
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  asked_at   INTEGER NOT NULL,
  outcome    TEXT CHECK (outcome IN ('done', 'failed')),
  PRIMARY KEY (episode_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX download_request_user ON download_request (user_id);
CREATE INDEX download_request_due ON download_request (episode_id) WHERE outcome IS NOT NULL;
INSERT INTO download_request (episode_id, user_id, asked_at)
SELECT episode_id, requested_by, created_at FROM download
 WHERE requested_by IS NOT NULL AND state NOT IN ('done', 'failed');
ALTER TABLE download DROP COLUMN requested_by;

-- Episodes whose download was given up: admins are notified once of each.
CREATE TABLE download_failure (
  episode_id INTEGER PRIMARY KEY REFERENCES episode ON DELETE CASCADE,
  notified   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX download_failure_due ON download_failure (episode_id) WHERE notified = 0;
INSERT OR IGNORE INTO download_failure (episode_id, notified)
SELECT episode_id, 1 FROM notification WHERE type = 'DownloadFailed' AND episode_id IS NOT NULL
UNION SELECT episode_id, 1 FROM download WHERE state = 'failed';

CREATE TRIGGER download_done AFTER UPDATE OF state ON download WHEN new.state = 'done' AND old.state <> 'done' BEGIN
  UPDATE announcement SET state = 'downloaded' WHERE episode_id = new.episode_id AND state = 'downloading';
  UPDATE download_request SET outcome = 'done' WHERE episode_id = new.episode_id;
END;
CREATE TRIGGER download_failed AFTER UPDATE OF state ON download WHEN new.state = 'failed' AND old.state <> 'failed' BEGIN
  UPDATE announcement SET state = 'published' WHERE episode_id = new.episode_id AND state = 'downloading';
  UPDATE download_request SET outcome = 'failed' WHERE episode_id = new.episode_id;
  INSERT OR IGNORE INTO download_failure (episode_id) VALUES (new.episode_id);
END;
CREATE TRIGGER download_cancelled AFTER DELETE ON download WHEN old.state NOT IN ('done', 'failed') BEGIN
  UPDATE announcement SET state = 'published' WHERE episode_id = old.episode_id AND state = 'downloading';
  DELETE FROM download_request WHERE episode_id = old.episode_id AND outcome IS NULL;
END;

-- How many episodes a notice is about, and when they came to be: what comes with them is added to it while it is unread.
ALTER TABLE notification ADD COLUMN episode_count INTEGER NOT NULL DEFAULT 1;
ALTER TABLE notification ADD COLUMN batch INTEGER;
CREATE INDEX notification_batch ON notification (user_id, podcast_id, type, batch) WHERE dismissed = 0;
