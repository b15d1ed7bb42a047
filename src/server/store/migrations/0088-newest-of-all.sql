-- An episode that is added is the newest exactly if none is newer, so the others need not be asked.
DROP TRIGGER episode_counted;
CREATE TRIGGER episode_counted AFTER INSERT ON episode BEGIN
  UPDATE podcast
     SET episode_count = episode_count + 1,
         last_episode_at = max(coalesce(last_episode_at, 0), new.published_at),
         last_episode_title = iif(last_episode_at IS NULL OR new.published_at >= last_episode_at,
                                  new.title, last_episode_title)
   WHERE id = new.podcast_id;
END;
