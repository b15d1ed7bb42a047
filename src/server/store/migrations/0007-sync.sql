-- Sync with podcast apps. Times are seconds of the sync clock, which never goes back.
CREATE TABLE sync_clock (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  -- The highest time that was ever told to anybody.
  at  INTEGER NOT NULL
) STRICT;
INSERT INTO sync_clock VALUES (1, 0);

CREATE TABLE device (
  id           INTEGER PRIMARY KEY,
  user_id      INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  -- As the app calls itself: `antennapod_on_pixel_7`.
  name         TEXT    NOT NULL,
  caption      TEXT    NOT NULL,
  type         TEXT    NOT NULL CHECK (type IN ('desktop', 'laptop', 'mobile', 'server', 'other')),
  created_at   INTEGER NOT NULL,
  last_sync_at INTEGER,
  UNIQUE (user_id, name)
) STRICT;

-- All devices of a user are one group, and the library is one of them: one list for all.
CREATE TABLE subscription (
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  -- Spellings of one address have one key.
  feed_key   TEXT    NOT NULL,
  -- As it was first spelled.
  url        TEXT    NOT NULL,
  subscribed INTEGER NOT NULL,
  -- Who subscribed; null = the library.
  device     TEXT,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, feed_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX subscription_changed ON subscription (user_id, changed_at);

CREATE TABLE episode_action (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id     INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  feed_key    TEXT    NOT NULL,
  feed_url    TEXT    NOT NULL,
  media_key   TEXT    NOT NULL,
  media_url   TEXT    NOT NULL,
  guid        TEXT,
  action      TEXT    NOT NULL CHECK (action IN ('download', 'play', 'delete', 'new', 'flattr')),
  device      TEXT    NOT NULL DEFAULT '',
  -- When it happened, as the app says.
  at          INTEGER NOT NULL,
  started     INTEGER,
  position    INTEGER,
  total       INTEGER,
  received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX episode_action_received ON episode_action (user_id, received_at, id);
CREATE INDEX episode_action_feed ON episode_action (feed_key, at, id);
-- What an app sends twice is kept once.
CREATE UNIQUE INDEX episode_action_once
    ON episode_action (user_id, media_key, device, action, at, coalesce(started, -1), coalesce(position, -1));

-- Most apps name an episode by the address of its media.
CREATE INDEX episode_media ON episode (podcast_id, enclosure_url);

-- Whether what was favoured and heard before the first device is told to devices by now.
ALTER TABLE user ADD COLUMN sync_begun INTEGER NOT NULL DEFAULT 0;
-- What a device subscribes to is added to the library by itself.
ALTER TABLE user ADD COLUMN sync_auto_add INTEGER NOT NULL DEFAULT 0;
-- `sync`: of a podcast app. The other kind only reads media and listens to the socket.
ALTER TABLE session ADD COLUMN kind TEXT NOT NULL DEFAULT 'browser';

-- Passwords of single apps, for sync alone: made by an app's own way of signing in, kept as digests, taken back one by one.
CREATE TABLE app_password (
  id           INTEGER PRIMARY KEY,
  uuid         TEXT    NOT NULL UNIQUE,
  user_id      INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  -- As the app calls itself.
  name         TEXT    NOT NULL,
  hash         TEXT    NOT NULL UNIQUE,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  last_address TEXT
) STRICT;
CREATE INDEX app_password_user ON app_password (user_id, created_at);
