-- Title of the episode that was published last: a list of a thousand podcasts would read an episode of each.
ALTER TABLE podcast ADD COLUMN last_episode_title TEXT;
UPDATE podcast
   SET last_episode_title = (SELECT title FROM episode
                              WHERE podcast_id = podcast.id ORDER BY published_at DESC, id DESC LIMIT 1);

DROP TRIGGER episode_counted;
DROP TRIGGER episode_uncounted;
DROP TRIGGER episode_moved;
CREATE TRIGGER episode_counted AFTER INSERT ON episode BEGIN
  UPDATE podcast
     SET episode_count = episode_count + 1,
         last_episode_at = max(coalesce(last_episode_at, 0), new.published_at),
         last_episode_title = (SELECT title FROM episode
                                WHERE podcast_id = new.podcast_id ORDER BY published_at DESC, id DESC LIMIT 1)
   WHERE id = new.podcast_id;
END;
CREATE TRIGGER episode_uncounted AFTER DELETE ON episode BEGIN
  UPDATE podcast
     SET episode_count = episode_count - 1,
         last_episode_at = (SELECT max(published_at) FROM episode WHERE podcast_id = old.podcast_id),
         last_episode_title = (SELECT title FROM episode
                                WHERE podcast_id = old.podcast_id ORDER BY published_at DESC, id DESC LIMIT 1)
   WHERE id = old.podcast_id;
END;
CREATE TRIGGER episode_moved AFTER UPDATE OF published_at, title ON episode
WHEN new.published_at <> old.published_at OR new.title <> old.title BEGIN
  UPDATE podcast
     SET last_episode_at = (SELECT max(published_at) FROM episode WHERE podcast_id = new.podcast_id),
         last_episode_title = (SELECT title FROM episode
                                WHERE podcast_id = new.podcast_id ORDER BY published_at DESC, id DESC LIMIT 1)
   WHERE id = new.podcast_id;
END;
