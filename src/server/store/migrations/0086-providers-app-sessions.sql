-- The sign-in at an OpenID provider that an app's session belongs to, with which it ends; null = none, or unknown.
ALTER TABLE app_session ADD COLUMN provider_session TEXT;
CREATE INDEX app_session_of_provider ON app_session (provider_session) WHERE provider_session IS NOT NULL;
