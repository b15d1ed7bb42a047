-- What a chapter file or transcript is, found by its content rather than its label; null: not read yet, or read by a
-- version that believed the label.
ALTER TABLE document ADD COLUMN format TEXT;
-- Why it failed, as `cause` or `cause:detail`; `error` says it in English.
ALTER TABLE document ADD COLUMN cause TEXT;
CREATE INDEX document_unread ON document (id) WHERE state = 'parsed' AND format IS NULL;

UPDATE document SET format = CASE WHEN type = 'text/vtt' THEN 'vtt' ELSE 'text' END WHERE generated = 1;
-- What was not understood may be now.
UPDATE document SET state = 'pending', error = NULL, failures = 0, due_at = NULL
 WHERE state = 'failed' AND error LIKE 'Expected a %, got something else';
