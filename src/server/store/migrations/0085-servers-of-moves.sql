-- The server that a move copies from, with the credentials there, sealed; null = a file, or no longer needed.
ALTER TABLE move ADD COLUMN server BLOB;
