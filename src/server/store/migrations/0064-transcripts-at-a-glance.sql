-- Whether the library has any transcript that can be searched.
CREATE INDEX document_transcript ON document (id) WHERE kind = 'transcript' AND state = 'parsed';
