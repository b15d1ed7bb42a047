-- Whether episodes that a feed brought twice were looked for: once, for the libraries of earlier releases.
ALTER TABLE podcast ADD COLUMN twins_sought INTEGER NOT NULL DEFAULT 1;
UPDATE podcast SET twins_sought = 0;
