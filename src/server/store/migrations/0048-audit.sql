-- What people did, for admins. Rows outlive the accounts they name. The same act repeated is one row that is counted up
-- (`fold`). `source`: the uuid of the account that acted, or 'server', 'command-line', 'stranger'; each has a bound of
-- its own, so that none pushes out what others did. `about`: the uuid of the account that it concerns, or ''.
CREATE TABLE audit (
  id         INTEGER PRIMARY KEY,
  fold       TEXT    NOT NULL UNIQUE,
  at         INTEGER NOT NULL,
  since      INTEGER NOT NULL,
  count      INTEGER NOT NULL DEFAULT 1,
  topic      TEXT    NOT NULL,
  kind       TEXT    NOT NULL,
  source     TEXT    NOT NULL,
  actor_name TEXT    NOT NULL,
  about      TEXT    NOT NULL,
  about_name TEXT    NOT NULL,
  address    TEXT    NOT NULL,
  via        TEXT    NOT NULL,
  reason     TEXT    NOT NULL,
  detail     TEXT    NOT NULL
) STRICT;
CREATE INDEX audit_at ON audit (at, id);
CREATE INDEX audit_source ON audit (source, at, id);
CREATE INDEX audit_about ON audit (about, at, id) WHERE about <> '';
CREATE INDEX audit_topic ON audit (topic, at, id);
