-- The colour of a picture as '#rrggbb'; '' = it has none, as if empty or unreadable; null = not looked for yet.
ALTER TABLE cover ADD COLUMN color TEXT;
CREATE INDEX cover_colorless ON cover (digest) WHERE digest IS NOT NULL AND color IS NULL;
