-- When its user last began to play a playlist, in milliseconds; null = never.
ALTER TABLE playlist ADD COLUMN played_at INTEGER;
