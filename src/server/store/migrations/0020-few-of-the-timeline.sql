-- Read for the end of a list in which episodes without a date come last.
CREATE INDEX episode_undated ON episode (podcast_id, published_at, id) WHERE dated = 0;
