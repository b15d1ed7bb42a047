-- What an act changed or brought, as JSON: settings before and after, podcasts of an import.
ALTER TABLE audit ADD COLUMN facts TEXT NOT NULL DEFAULT '{}';
