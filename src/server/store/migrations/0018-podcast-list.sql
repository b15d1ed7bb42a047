-- Files of a podcast that are here, and their bytes. Kept by the triggers below.
ALTER TABLE podcast ADD COLUMN file_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE podcast ADD COLUMN file_bytes INTEGER NOT NULL DEFAULT 0;
UPDATE podcast
   SET (file_count, file_bytes) = (SELECT count(*), coalesce(sum(file_size), 0) FROM episode e
                                    WHERE e.podcast_id = podcast.id AND e.file_path IS NOT NULL);

CREATE TRIGGER episode_filed AFTER INSERT ON episode WHEN new.file_path IS NOT NULL BEGIN
  UPDATE podcast SET file_count = file_count + 1, file_bytes = file_bytes + coalesce(new.file_size, 0)
   WHERE id = new.podcast_id;
END;
CREATE TRIGGER episode_refiled AFTER UPDATE OF file_path, file_size ON episode
WHEN new.file_path IS NOT old.file_path OR new.file_size IS NOT old.file_size BEGIN
  UPDATE podcast
     SET file_count = file_count + (new.file_path IS NOT NULL) - (old.file_path IS NOT NULL),
         file_bytes = file_bytes + iif(new.file_path IS NULL, 0, coalesce(new.file_size, 0))
                                 - iif(old.file_path IS NULL, 0, coalesce(old.file_size, 0))
   WHERE id = new.podcast_id;
END;
CREATE TRIGGER episode_unfiled AFTER DELETE ON episode WHEN old.file_path IS NOT NULL BEGIN
  UPDATE podcast SET file_count = file_count - 1, file_bytes = file_bytes - coalesce(old.file_size, 0)
   WHERE id = old.podcast_id;
END;
