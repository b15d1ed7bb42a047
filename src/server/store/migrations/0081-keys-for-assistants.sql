-- Whether assistants may use the API key of the user; null = as the configuration says.
ALTER TABLE user ADD COLUMN api_key_assistants INTEGER;
