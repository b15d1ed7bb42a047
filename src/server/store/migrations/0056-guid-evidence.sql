-- What shows that a feed's guids don't identify its episodes; NULL = they do.
ALTER TABLE podcast ADD COLUMN guid_evidence TEXT CHECK (guid_evidence IN ('repeated', 'by-place', 'moved'));
-- Seconds as the feed states them, 0 = unknown. A downloaded file's own length goes into `duration`.
ALTER TABLE episode ADD COLUMN announced_duration INTEGER NOT NULL DEFAULT 0;
UPDATE episode SET announced_duration = duration WHERE duration > 0 AND file_path IS NULL;
