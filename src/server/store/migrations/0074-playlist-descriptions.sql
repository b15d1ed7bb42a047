-- What a playlist is about, as an app wrote it.
ALTER TABLE playlist ADD COLUMN description TEXT;
