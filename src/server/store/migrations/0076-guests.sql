-- The account that an invitation was accepted for; null = deleted since, or accepted before this was noted.
ALTER TABLE invite ADD COLUMN accepted_by INTEGER REFERENCES user (id) ON DELETE SET NULL;
