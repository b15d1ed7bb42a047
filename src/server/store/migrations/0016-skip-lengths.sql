-- Seconds that the buttons of the player skip.
ALTER TABLE user ADD COLUMN skip_back INTEGER NOT NULL DEFAULT 30;
ALTER TABLE user ADD COLUMN skip_forward INTEGER NOT NULL DEFAULT 30;
