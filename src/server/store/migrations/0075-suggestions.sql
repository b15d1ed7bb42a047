-- Whether the page of playlists shows suggestions.
ALTER TABLE user ADD COLUMN suggestions INTEGER NOT NULL DEFAULT 1;
