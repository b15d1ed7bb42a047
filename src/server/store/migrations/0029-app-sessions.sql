-- Sign-ins of apps that renew their access by themselves; people see and end them beside app passwords.
CREATE TABLE app_session (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid            TEXT    NOT NULL UNIQUE,
  user_id         INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  -- It was begun with this password and ends with it; null = begun in another way.
  app_password_id INTEGER REFERENCES app_password ON DELETE CASCADE,
  -- Of the user, when it began: a new password or role ends it.
  epoch           INTEGER NOT NULL,
  -- What the app calls itself.
  name            TEXT    NOT NULL,
  created_at      INTEGER NOT NULL,
  last_used_at    INTEGER NOT NULL,
  last_address    TEXT    NOT NULL
) STRICT;
CREATE INDEX app_session_user ON app_session (user_id, created_at);
CREATE INDEX app_session_password ON app_session (app_password_id) WHERE app_password_id IS NOT NULL;

CREATE TABLE app_token (
  hash       TEXT    PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES app_session ON DELETE CASCADE,
  kind       TEXT    NOT NULL CHECK (kind IN ('access', 'refresh')),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX app_token_session ON app_token (session_id, kind, expires_at);
CREATE INDEX app_token_expiry ON app_token (expires_at);
