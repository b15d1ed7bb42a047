-- Words are folded before they are indexed, as people type them. Episodes whose id is below this one are in the index as
-- earlier versions wrote them; the indexer replaces them, the newest first.
CREATE TABLE reindexing (below INTEGER NOT NULL) STRICT;
INSERT INTO reindexing SELECT id + 1 FROM episode ORDER BY id DESC LIMIT 1;

-- The indexer folds the names of people too.
DROP TRIGGER person_indexed;
ALTER TABLE person ADD COLUMN is_indexed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX person_unindexed ON person (id) WHERE is_indexed = 0;
