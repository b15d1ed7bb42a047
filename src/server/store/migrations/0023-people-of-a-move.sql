-- A password hash that another program made, in the words of `src/server/accounts/old-password.ts`; null = our own.
-- The first sign-in replaces it.
ALTER TABLE user ADD COLUMN password_kind TEXT;
CREATE INDEX user_password_kind ON user (password_kind) WHERE password_kind IS NOT NULL;

-- Whether people without an account get one.
ALTER TABLE move ADD COLUMN with_users INTEGER NOT NULL DEFAULT 0;
-- Settings that the source has for all its podcasts, as JSON: shown in the report, never applied.
ALTER TABLE move ADD COLUMN server_settings TEXT;
CREATE INDEX move_change_user ON move_change (move_id) WHERE kind = 'user';

-- A transcript that a program made of the audio, which no feed names.
ALTER TABLE document ADD COLUMN generated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE episode ADD COLUMN has_generated_transcript INTEGER NOT NULL DEFAULT 0;
