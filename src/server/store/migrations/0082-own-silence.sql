-- Whether a listener trims the silence of a podcast; null = as the device has it.
ALTER TABLE podcast_preference ADD COLUMN skip_silence INTEGER;
