-- Playlists that fill themselves: `SmartRules` as JSON; null = its episodes are chosen.
ALTER TABLE playlist ADD COLUMN rules TEXT;
ALTER TABLE playlist
  ADD COLUMN keep_downloaded INTEGER NOT NULL GENERATED ALWAYS AS (coalesce(rules ->> 'keepDownloaded', 0)) VIRTUAL;
CREATE INDEX playlist_kept ON playlist (id) WHERE keep_downloaded > 0;

-- Nearly everything that rules ask of an episode is in the indexes of the orders: passing by one reads no row. A column
-- that is generated, such as `dated`, would have it read all the same.
DROP INDEX episode_newest;
CREATE INDEX episode_newest
    ON episode (published_at, id, podcast_id, announced_at, duration, season, type, explicit, downloaded_at);
DROP INDEX episode_of_podcast;
CREATE INDEX episode_of_podcast
    ON episode (podcast_id, published_at, id, announced_at, duration, season, type, explicit, downloaded_at);
CREATE INDEX episode_length
    ON episode (duration, published_at, id, podcast_id, announced_at, season, type, explicit, downloaded_at);
-- Episodes that are found by another table: their rows, with the notes, are many times as large.
CREATE INDEX episode_facts
    ON episode (id, published_at, podcast_id, announced_at, duration, season, type, explicit, downloaded_at);
CREATE INDEX episode_season ON episode (season) WHERE season IS NOT NULL;
CREATE INDEX episode_not_full ON episode (type) WHERE type <> 'full';

-- How much podcasts hold, without reading their rows.
DROP INDEX podcast_counts;
CREATE INDEX podcast_counts ON podcast (episode_count, explicit, file_count);
