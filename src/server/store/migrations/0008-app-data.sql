-- What podcast apps keep here for their users: settings, and lists of podcasts.
CREATE TABLE sync_setting (
  user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  -- What the settings are of: nothing, a device's name, the key of a feed, or of a feed and a medium.
  scope   TEXT    NOT NULL CHECK (scope IN ('account', 'device', 'podcast', 'episode')),
  of      TEXT    NOT NULL DEFAULT '',
  name    TEXT    NOT NULL,
  -- JSON.
  value   TEXT    NOT NULL,
  PRIMARY KEY (user_id, scope, of, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE sync_list (
  user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  -- As it stands in its address.
  name    TEXT    NOT NULL,
  title   TEXT    NOT NULL,
  -- JSON: the addresses of the feeds, in their order.
  feeds   TEXT    NOT NULL,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;

-- An app names episodes by their media's address, thousands at once.
CREATE INDEX episode_media ON episode (podcast_id, enclosure_url);

-- The time as the app said it, which may be one to come: what it sends twice is kept once, whatever the time counts as. Null = it said none.
ALTER TABLE episode_action ADD COLUMN said_at INTEGER;
DROP INDEX episode_action_once;
CREATE UNIQUE INDEX episode_action_once
    ON episode_action (user_id, media_key, device, action, coalesce(said_at, at), coalesce(started, -1), coalesce(position, -1));
