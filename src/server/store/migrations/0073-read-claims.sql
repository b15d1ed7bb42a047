-- The time of the newest OpenID token whose claims were read as a whole, in seconds; null = none.
ALTER TABLE user ADD COLUMN claims_issued_at INTEGER;
