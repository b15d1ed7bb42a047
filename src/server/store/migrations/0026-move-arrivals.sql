-- A move that begins in a browser: its file is received or copied, then it is rehearsed, and waits for a person to say
-- go; null = it has begun. A source whose program is not known yet is ''.
ALTER TABLE move ADD COLUMN stage TEXT CHECK (stage IN ('receiving', 'reading', 'ready'));
ALTER TABLE move ADD COLUMN authority TEXT NOT NULL DEFAULT 'everybody'
  -- Whose things it may write: its own account's, also the library's rules, or also those of other people.
  CHECK (authority IN ('self', 'library', 'everybody'));
-- 0 until a person lets it begin; what has begun can be undone, and its report stays.
ALTER TABLE move ADD COLUMN begun INTEGER NOT NULL DEFAULT 1;
-- The program that a person says made the file; null = it is recognised.
ALTER TABLE move ADD COLUMN given_source TEXT;
-- A file on the server that is copied; null = it is uploaded, or was copied before.
ALTER TABLE move ADD COLUMN path TEXT;
-- Bytes that are uploaded in all.
ALTER TABLE move ADD COLUMN bytes INTEGER;
-- Items of the source in all, known after the rehearsal.
ALTER TABLE move ADD COLUMN items INTEGER;
CREATE INDEX move_reading ON move (id) WHERE stage = 'reading';
