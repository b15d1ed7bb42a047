-- Taking a move back. `undo` stands beside the state, which says how the move itself ended: null = the move stands.
ALTER TABLE move ADD COLUMN undo TEXT CHECK (undo IN ('undoing', 'undone'));
-- The place in `move_change` down to which it is taken back; null = nothing is.
ALTER TABLE move ADD COLUMN undo_place INTEGER;
ALTER TABLE move ADD COLUMN undone_at INTEGER;
CREATE INDEX move_undoing ON move (id) WHERE undo = 'undoing';

-- What the move left, as JSON or its digest: what is otherwise by now was changed by people, and stays. Null = nothing
-- to compare.
ALTER TABLE move_change ADD COLUMN after TEXT;

-- The report of taking it back: `gone` = people had removed it already. No feed and no reason are ''.
CREATE TABLE move_undo_count (
  move_id  INTEGER NOT NULL REFERENCES move ON DELETE CASCADE,
  feed_url TEXT    NOT NULL,
  kind     TEXT    NOT NULL,
  outcome  TEXT    NOT NULL CHECK (outcome IN ('undone', 'gone', 'kept')),
  reason   TEXT    NOT NULL,
  total    INTEGER NOT NULL,
  PRIMARY KEY (move_id, feed_url, kind, outcome, reason)
) STRICT, WITHOUT ROWID;
