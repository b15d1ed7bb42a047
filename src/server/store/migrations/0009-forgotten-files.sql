-- Files that nothing in the library names any more: noted in the transaction that forgets them, until they are deleted.
CREATE TABLE forgotten_file (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
