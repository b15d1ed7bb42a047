-- Work that a start resumes. A row is written before the work begins and deleted when it ends, so that what a start
-- finds running was interrupted by the death of the process. `deaths` counts those; `set_aside_at` is when the second
-- one was found: from then on the work is not begun until a person asks for it.
CREATE TABLE begun_work (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  label TEXT NOT NULL,
  deaths INTEGER NOT NULL DEFAULT 0,
  is_running INTEGER NOT NULL,
  begun_at INTEGER NOT NULL,
  set_aside_at INTEGER,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
