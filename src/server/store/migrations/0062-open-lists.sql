-- Lists that grow belong to the code, which checks every value at its border: a new value needs no migration.
-- A new column takes the place of each checked one, so ids, sequences and the rows that refer to them stay.
ALTER TABLE destination RENAME COLUMN kind TO checked;
ALTER TABLE destination ADD COLUMN kind TEXT NOT NULL DEFAULT '';
UPDATE destination SET kind = checked;
ALTER TABLE destination DROP COLUMN checked;

DROP INDEX notification_batch;
ALTER TABLE notification RENAME COLUMN type TO checked;
ALTER TABLE notification ADD COLUMN type TEXT NOT NULL DEFAULT '';
UPDATE notification SET type = checked;
ALTER TABLE notification DROP COLUMN checked;
CREATE INDEX notification_batch ON notification (user_id, podcast_id, type, batch) WHERE dismissed = 0;

-- How the user signed in; null = before this was recorded.
ALTER TABLE session RENAME COLUMN way TO checked;
ALTER TABLE session ADD COLUMN way TEXT;
UPDATE session SET way = checked;
ALTER TABLE session DROP COLUMN checked;

-- What plays after the queue.
ALTER TABLE queue RENAME COLUMN continue_with TO checked;
ALTER TABLE queue ADD COLUMN continue_with TEXT NOT NULL DEFAULT 'nothing';
UPDATE queue SET continue_with = checked;
ALTER TABLE queue DROP COLUMN checked;

-- The preferred form of new files, and of what is streamed; null = the main one.
ALTER TABLE podcast_settings RENAME COLUMN preferred_form TO checked;
ALTER TABLE podcast_settings ADD COLUMN preferred_form TEXT;
UPDATE podcast_settings SET preferred_form = checked;
ALTER TABLE podcast_settings DROP COLUMN checked;

ALTER TABLE podcast_preference RENAME COLUMN form TO checked;
ALTER TABLE podcast_preference ADD COLUMN form TEXT;
UPDATE podcast_preference SET form = checked;
ALTER TABLE podcast_preference DROP COLUMN checked;

-- The kind is the primary key, which no column can replace. Nothing refers to this table.
CREATE TABLE trouble (
  kind  TEXT    PRIMARY KEY,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO trouble SELECT kind, since FROM server_trouble;
DROP TABLE server_trouble;
ALTER TABLE trouble RENAME TO server_trouble;
