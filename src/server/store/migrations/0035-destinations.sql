-- Where people want news to be sent: their browsers, ntfy, Gotify, Apprise, webhooks.
CREATE TABLE destination (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid            TEXT    NOT NULL UNIQUE,
  user_id         INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  kind            TEXT    NOT NULL CHECK (kind IN ('push', 'ntfy', 'gotify', 'apprise', 'webhook')),
  name            TEXT    NOT NULL,
  -- Shown to its owner; the rest of the address may be a secret.
  host            TEXT    NOT NULL,
  -- Address, token and keys as JSON, sealed with the server's secret.
  target          BLOB    NOT NULL,
  has_token       INTEGER NOT NULL,
  -- The wanted types of news, as a JSON array.
  events          TEXT    NOT NULL,
  is_on           INTEGER NOT NULL DEFAULT 1,
  -- Minutes of the day in `time_zone`; null = none.
  quiet_from      INTEGER,
  quiet_to        INTEGER,
  time_zone       TEXT    NOT NULL,
  language        TEXT    NOT NULL,
  -- The server's own address, as the page that made it knew it.
  base_url        TEXT    NOT NULL,
  created_at      INTEGER NOT NULL,
  last_success_at INTEGER,
  last_failure_at INTEGER,
  last_failure    TEXT,
  last_status     INTEGER,
  -- The push service has forgotten the browser.
  has_ended       INTEGER NOT NULL DEFAULT 0,
  -- When its owner removed it, which can be undone for an hour; null = not removed.
  removed_at      INTEGER
) STRICT;
CREATE INDEX destination_user ON destination (user_id, created_at);
CREATE INDEX destination_removed ON destination (removed_at) WHERE removed_at IS NOT NULL;

-- Messages on their way. The row goes when its message was delivered or given up.
CREATE TABLE delivery (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Sent along: a receiver knows by it that a message came twice.
  uuid           TEXT    NOT NULL UNIQUE,
  destination_id INTEGER NOT NULL REFERENCES destination ON DELETE CASCADE,
  type           TEXT    NOT NULL,
  -- JSON. It is fixed with the first attempt; until then news of the same type is added to it.
  facts          TEXT    NOT NULL,
  created_at     INTEGER NOT NULL,
  due_at         INTEGER NOT NULL,
  attempts       INTEGER NOT NULL DEFAULT 0,
  first_tried_at INTEGER
) STRICT;
CREATE INDEX delivery_due ON delivery (due_at);
CREATE INDEX delivery_destination ON delivery (destination_id, due_at);
CREATE INDEX delivery_age ON delivery (created_at);

-- Feeds that fail, and since when: what people were told of once stays quiet until the feed has worked again.
CREATE TABLE feed_trouble (
  podcast_id INTEGER PRIMARY KEY REFERENCES podcast ON DELETE CASCADE,
  since      INTEGER NOT NULL
) STRICT;
CREATE INDEX podcast_failing ON podcast (error_since) WHERE error_since IS NOT NULL;

-- Troubles of the server that admins were told of; the row goes when the trouble is over.
CREATE TABLE server_trouble (
  kind  TEXT    PRIMARY KEY CHECK (kind IN ('diskFull', 'backupFailed')),
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
