-- What a user began last in a podcast, and what they finished longest ago.
CREATE INDEX playback_of_podcast ON playback (user_id, podcast_id, finished, updated_at);

-- Books, music and courses are played from the first part on.
UPDATE podcast SET serial = 1 WHERE medium IN ('audiobook', 'music', 'course');

-- Every feed is read whole once more, for trailers, live items and places of discussion.
UPDATE podcast SET etag = NULL, last_modified = NULL, body_digest = NULL;
