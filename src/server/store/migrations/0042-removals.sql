-- Podcasts, accounts and lists that are removed, until what grew with them is deleted, too.
CREATE TABLE removal (
  of_table    TEXT    NOT NULL,
  -- The id that its row had: it is never used again.
  row_id      INTEGER NOT NULL,
  -- The name by which an admin knows it.
  title       TEXT    NOT NULL,
  -- Of a podcast whose files stay; null = they are deleted, or there are none.
  kept_feed   TEXT,
  PRIMARY KEY (of_table, row_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX notification_user ON notification (user_id);
