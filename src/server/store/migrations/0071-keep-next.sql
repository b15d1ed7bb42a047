-- Number of next episodes of a podcast that stay downloaded for each person who listens to it; null = none.
ALTER TABLE podcast_settings ADD COLUMN keep_next INTEGER;
CREATE INDEX podcast_settings_keep_next ON podcast_settings (podcast_id, keep_next) WHERE keep_next IS NOT NULL;
