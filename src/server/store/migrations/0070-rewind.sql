-- Whether the player rewinds a little after a pause.
ALTER TABLE user ADD COLUMN skip_rewind INTEGER NOT NULL DEFAULT 1;
