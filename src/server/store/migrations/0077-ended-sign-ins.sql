-- Sign-ins that an OpenID provider has ended, whose tokens are refused; `at` in milliseconds.
CREATE TABLE ended_sign_in (key TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
