-- The storage that a media file is in: a mixture is usual while files move from one to the other.
ALTER TABLE episode ADD COLUMN file_storage TEXT NOT NULL DEFAULT 'folder' CHECK (file_storage IN ('folder', 's3'));
ALTER TABLE kept_file ADD COLUMN storage TEXT NOT NULL DEFAULT 'folder' CHECK (storage IN ('folder', 's3'));
ALTER TABLE download ADD COLUMN target_storage TEXT NOT NULL DEFAULT 'folder' CHECK (target_storage IN ('folder', 's3'));
-- Bytes of the file at the target: the host's, or more with a number in its title.
ALTER TABLE download ADD COLUMN target_size INTEGER;
CREATE INDEX episode_in_storage ON episode (file_storage, id) WHERE file_path IS NOT NULL;

CREATE TABLE forgotten (
  storage TEXT NOT NULL CHECK (storage IN ('folder', 's3')),
  path    TEXT NOT NULL,
  PRIMARY KEY (storage, path)
) STRICT, WITHOUT ROWID;
INSERT INTO forgotten SELECT 'folder', path FROM forgotten_file;
DROP TABLE forgotten_file;
ALTER TABLE forgotten RENAME TO forgotten_file;

-- Copies that a move between two storages is making: noted before the copy, until its episode or the kept file names it.
CREATE TABLE media_copy (
  storage TEXT NOT NULL CHECK (storage IN ('folder', 's3')),
  path    TEXT NOT NULL,
  PRIMARY KEY (storage, path)
) STRICT, WITHOUT ROWID;
