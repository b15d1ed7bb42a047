-- The guid as the feed gives it, null where it gives none; `guid` is the episode's own within its podcast.
ALTER TABLE episode ADD COLUMN feed_guid TEXT;
-- A newer episode of the podcast lies at the address of this one, as in feeds with one fixed `newscast.mp3`.
ALTER TABLE episode ADD COLUMN superseded INTEGER NOT NULL DEFAULT 0;

-- Where there was none, `guid` is the address without its scheme; where two shared one, the address was put behind it.
UPDATE episode
   SET feed_guid = CASE
         WHEN instr(enclosure_url, '://' || guid) > 0 THEN NULL
         WHEN instr(guid, '#') > 0 AND instr(enclosure_url, '://' || substr(guid, instr(guid, '#') + 1)) > 0
           THEN substr(guid, 1, instr(guid, '#') - 1)
         ELSE guid
       END;

-- Where the feed says that it has moved to, as long as nothing was found there.
ALTER TABLE podcast ADD COLUMN announced_feed_url TEXT;
-- Items of the last body, and how many of them hold nothing to play.
ALTER TABLE podcast ADD COLUMN feed_items INTEGER NOT NULL DEFAULT 0;
ALTER TABLE podcast ADD COLUMN feed_unplayable INTEGER NOT NULL DEFAULT 0;
