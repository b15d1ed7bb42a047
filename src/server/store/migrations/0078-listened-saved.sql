-- Of the seconds, those that a higher speed saved, and those of silence that was trimmed; null = not measured.
ALTER TABLE listened ADD COLUMN saved INTEGER;
ALTER TABLE listened ADD COLUMN trimmed INTEGER;
