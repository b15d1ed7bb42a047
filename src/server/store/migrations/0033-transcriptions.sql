-- The model of the server that wrote a transcript; null = a publisher's transcript, or the model is not known.
ALTER TABLE document ADD COLUMN model TEXT;

-- Whether new files of a podcast are transcribed; null = no.
ALTER TABLE podcast_settings ADD COLUMN auto_transcribe INTEGER;

-- Files that a speech server is asked to write down. A row that is done stays: it tells which file was sent.
CREATE TABLE transcription (
  id              INTEGER PRIMARY KEY,
  uuid            TEXT    NOT NULL UNIQUE,
  episode_id      INTEGER NOT NULL UNIQUE REFERENCES episode ON DELETE CASCADE,
  state           TEXT    NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'waiting', 'done', 'failed')),
  -- A setting of the podcast asked for it, not a person.
  automatic       INTEGER NOT NULL,
  -- Failures that count towards giving up, and pauses for which this file is not to blame.
  attempts        INTEGER NOT NULL DEFAULT 0,
  rests           INTEGER NOT NULL DEFAULT 0,
  -- Of the file whose answer is here: it is not sent again.
  sent_digest     TEXT,
  -- As the server sent it, compressed by zstd, until the transcript is stored.
  answer          BLOB,
  error_code      TEXT,
  message         TEXT,
  next_attempt_at INTEGER,
  created_at      INTEGER NOT NULL,
  started_at      INTEGER,
  finished_at     INTEGER
) STRICT;
CREATE INDEX transcription_state ON transcription (state, automatic, id);

-- Whoever gives an episode a file has it transcribed where the podcast wants that, also if the process is killed right
-- after that. A file that was transcribed before is recognised by its digest when its turn comes.
CREATE TRIGGER transcription_of_file AFTER UPDATE OF file_path ON episode
WHEN new.file_path IS NOT NULL AND old.file_path IS NULL
 AND EXISTS (SELECT 1 FROM podcast_settings WHERE podcast_id = new.podcast_id AND auto_transcribe = 1)
BEGIN
  INSERT INTO transcription (uuid, episode_id, automatic, created_at)
  VALUES (lower(hex(randomblob(16))), new.id, 1, coalesce(new.downloaded_at, 0))
  ON CONFLICT (episode_id) DO UPDATE
     SET state = 'queued', automatic = 1, attempts = 0, rests = 0, created_at = excluded.created_at, finished_at = NULL
   WHERE state = 'done';
END;

-- An answer that is here is still worth storing.
CREATE TRIGGER transcription_without_file AFTER UPDATE OF file_path ON episode
WHEN new.file_path IS NULL AND old.file_path IS NOT NULL
BEGIN
  DELETE FROM transcription WHERE episode_id = new.id AND sent_digest IS NULL;
  UPDATE transcription
     SET state = 'done', error_code = NULL, message = NULL, next_attempt_at = NULL
   WHERE episode_id = new.id AND state <> 'done' AND answer IS NULL;
END;
