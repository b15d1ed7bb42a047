-- How names look (the skeletons of Unicode's UTS 39), so that a new one that looks like one of these is found at once.
-- The start fills it for the accounts that are here.
CREATE TABLE user_look (
  look    TEXT    NOT NULL,
  user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  PRIMARY KEY (look, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_look_user ON user_look (user_id);
