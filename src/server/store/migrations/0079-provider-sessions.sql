-- The sign-in at an OpenID provider that a browser's session belongs to, with which it ends; null = none, or unknown.
ALTER TABLE session ADD COLUMN provider_session TEXT;
CREATE INDEX session_of_provider ON session (provider_session) WHERE provider_session IS NOT NULL;
