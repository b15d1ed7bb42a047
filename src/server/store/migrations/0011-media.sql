-- Why the file of an episode was not gone through for its chapters: 'too-large' or 'too-slow'; null = it was.
ALTER TABLE episode ADD COLUMN chapters_unread TEXT;

-- The place of a download in the queue: what gives up its turn gets the last one.
ALTER TABLE download ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
UPDATE download SET place = id;
DROP INDEX download_place;
CREATE INDEX download_place ON download (state, place);
CREATE INDEX download_last ON download (place);

-- Files of podcasts that were deleted without them, and the episode that each belonged to: taken up when the podcast is added again.
CREATE TABLE kept_file (
  path          TEXT    PRIMARY KEY,
  feed_url      TEXT    NOT NULL,
  guid          TEXT    NOT NULL,
  title         TEXT    NOT NULL,
  enclosure_url TEXT    NOT NULL,
  announced_at  INTEGER,
  size          INTEGER NOT NULL,
  -- Of samples of its bytes.
  digest        TEXT    NOT NULL,
  type          TEXT    NOT NULL,
  numbered      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_file_feed ON kept_file (feed_url, guid);
