-- Sessions of browsers and of podcast apps, as their user sees them. Those of before go on.
CREATE TABLE listed_session (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid           TEXT    NOT NULL UNIQUE,
  token_hash     TEXT    NOT NULL UNIQUE,
  user_id        INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  -- Of the user, when it began: a new password or role ends it.
  epoch          INTEGER NOT NULL,
  kind           TEXT    NOT NULL CHECK (kind IN ('browser', 'sync')),
  -- What its user signed in with; null = it began before this was noted.
  way            TEXT    CHECK (way IN ('password', 'passkey', 'single-sign-on', 'proxy', 'key')),
  -- The cookie opens the API, too; otherwise it only reads media and opens the socket.
  carries_api    INTEGER NOT NULL,
  -- The browser keeps the cookie when it is closed.
  remembered     INTEGER NOT NULL,
  -- The browser or app keeps the password, and could begin another session with it.
  keeps_password INTEGER NOT NULL,
  -- Browser and system, or the name of an app; empty = unknown.
  device         TEXT    NOT NULL,
  -- Shortened to its network; empty = unknown.
  address        TEXT    NOT NULL,
  created_at     INTEGER NOT NULL,
  seen_at        INTEGER NOT NULL,
  expires_at     INTEGER NOT NULL
) STRICT;
INSERT INTO listed_session
SELECT id, lower(hex(randomblob(16))), token_hash, user_id, epoch, kind, NULL, 0, 1, 0, '', '', created_at, created_at,
       expires_at
  FROM session;
DROP TABLE session;
ALTER TABLE listed_session RENAME TO session;
CREATE INDEX session_user ON session (user_id, expires_at);
CREATE INDEX session_expiry ON session (expires_at);

CREATE TABLE passkey (
  id            INTEGER PRIMARY KEY,
  uuid          TEXT    NOT NULL UNIQUE,
  user_id       INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  -- The authenticator's id of it, in base64url.
  credential_id TEXT    NOT NULL UNIQUE,
  -- In COSE form.
  public_key    BLOB    NOT NULL,
  -- How often the authenticator says it was used; 0 = it does not count.
  counter       INTEGER NOT NULL,
  -- How a browser reaches the authenticator, as a JSON list.
  transports    TEXT    NOT NULL,
  -- The name of the server that it is good for.
  host          TEXT    NOT NULL,
  name          TEXT    NOT NULL,
  -- Browser and system on which it was made.
  device        TEXT    NOT NULL,
  created_at    INTEGER NOT NULL,
  last_used_at  INTEGER
) STRICT;
CREATE INDEX passkey_user ON passkey (user_id, created_at);

-- Whether a sign-in by password asks for a code, too.
ALTER TABLE user ADD COLUMN second_factor INTEGER NOT NULL DEFAULT 0;

-- Secrets of authenticator apps (RFC 6238). One counts where `second_factor` of its user says so: until a code has
-- confirmed that the app has it, it does not.
CREATE TABLE second_factor (
  user_id    INTEGER PRIMARY KEY REFERENCES user ON DELETE CASCADE,
  -- Sealed with the server's secret.
  secret     BLOB    NOT NULL,
  created_at INTEGER NOT NULL,
  -- The time step of the last code that was accepted: only later ones are.
  last_step  INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Codes for the loss of the app, 80 random bits each, by their hash; one that is used is deleted.
CREATE TABLE recovery_code (
  user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  hash    TEXT    NOT NULL,
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;

-- Devices and networks from which a user has signed in, by a keyed hash.
CREATE TABLE known_place (
  user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  hash    TEXT    NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX known_place_seen ON known_place (user_id, seen_at);

-- One more type of notification: a sign-in from a new place.
CREATE TABLE notification_of_any (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid          TEXT    NOT NULL UNIQUE,
  user_id       INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  type          TEXT    NOT NULL CHECK (type IN ('Download', 'NewEpisodes', 'DownloadFailed', 'SignIn')),
  message       TEXT    NOT NULL,
  created_at    INTEGER NOT NULL,
  dismissed     INTEGER NOT NULL DEFAULT 0,
  podcast_id    INTEGER REFERENCES podcast ON DELETE SET NULL,
  episode_id    INTEGER REFERENCES episode ON DELETE SET NULL,
  episode_count INTEGER NOT NULL DEFAULT 1,
  batch         INTEGER
) STRICT;
INSERT INTO notification_of_any
SELECT id, uuid, user_id, type, message, created_at, dismissed, podcast_id, episode_id, episode_count, batch
  FROM notification;
DROP TABLE notification;
ALTER TABLE notification_of_any RENAME TO notification;
CREATE INDEX notification_unread ON notification (user_id, id) WHERE dismissed = 0;
CREATE INDEX notification_podcast ON notification (podcast_id);
CREATE INDEX notification_episode ON notification (episode_id);
CREATE INDEX notification_batch ON notification (user_id, podcast_id, type, batch) WHERE dismissed = 0;
CREATE INDEX notification_old ON notification (created_at) WHERE dismissed = 1;
