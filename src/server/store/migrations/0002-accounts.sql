-- The name as it is compared: case, and ways to write a letter, make no other name.
ALTER TABLE user ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
-- argon2id; null = this account has no password here.
ALTER TABLE user ADD COLUMN password_hash TEXT;
-- Who they are at the OpenID provider.
ALTER TABLE user ADD COLUMN issuer TEXT;
ALTER TABLE user ADD COLUMN subject TEXT;
-- A proxy signs them in under this name.
ALTER TABLE user ADD COLUMN proxied INTEGER NOT NULL DEFAULT 0;
-- Made admin by a claim or by the configuration: what comes back when that ends.
ALTER TABLE user ADD COLUMN role_before TEXT;
ALTER TABLE user ADD COLUMN consent_before INTEGER;
-- SHA-256 of a key with 122 random bits.
ALTER TABLE user ADD COLUMN api_key_hash TEXT;
-- Feed keys are computed, not kept; another version is another key.
ALTER TABLE user ADD COLUMN feed_key_version INTEGER NOT NULL DEFAULT 1;
-- Grows when sign-ins end: cookies and sockets of an earlier epoch are worth nothing.
ALTER TABLE user ADD COLUMN epoch INTEGER NOT NULL DEFAULT 1;
ALTER TABLE user ADD COLUMN country TEXT;
ALTER TABLE user ADD COLUMN language TEXT;
UPDATE user SET name_key = lower(username);
CREATE UNIQUE INDEX user_name ON user (name_key);
CREATE UNIQUE INDEX user_subject ON user (issuer, subject) WHERE subject IS NOT NULL;
CREATE UNIQUE INDEX user_api_key ON user (api_key_hash) WHERE api_key_hash IS NOT NULL;

-- Cookies of browsers, for media, covers and the socket.
-- The token changes at every sign-in of the same browser, the id stays: open sockets belong to it.
CREATE TABLE session (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  token_hash TEXT    NOT NULL UNIQUE,
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  epoch      INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX session_user ON session (user_id, expires_at);
CREATE INDEX session_expiry ON session (expires_at);

CREATE TABLE invite (
  -- Random, and the secret of the link.
  id               TEXT    PRIMARY KEY,
  role             TEXT    NOT NULL CHECK (role IN ('admin', 'uploader', 'user')),
  explicit_consent INTEGER NOT NULL,
  created_at       INTEGER NOT NULL,
  expires_at       INTEGER NOT NULL,
  accepted_at      INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX invite_newest ON invite (created_at);

-- The server ran in open mode last: keys that anybody could make then end when sign-in is turned on.
ALTER TABLE settings ADD COLUMN was_open INTEGER NOT NULL DEFAULT 1;

-- Few episodes of other podcasts are explicit: what is hidden from some users is counted by these.
CREATE INDEX episode_explicit ON episode (podcast_id) WHERE explicit = 1;
CREATE INDEX podcast_added_by ON podcast (added_by);
