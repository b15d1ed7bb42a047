-- Episodes that came since a user had their podcast, or that the user marked as new. Without a row an episode is not new.
-- 'played': it is not new while the user has begun or finished it. Kept by the triggers below.
CREATE TABLE new_episode (
  user_id    INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
  podcast_id INTEGER NOT NULL,
  episode_id INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  played     INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, podcast_id, episode_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX new_episode_counted ON new_episode (user_id, podcast_id, episode_id) WHERE played = 0;
CREATE INDEX new_episode_episode ON new_episode (episode_id);

CREATE TRIGGER newness_begun AFTER INSERT ON playback WHEN new.played = 1 BEGIN
  UPDATE new_episode SET played = 1
   WHERE user_id = new.user_id AND podcast_id = new.podcast_id AND episode_id = new.episode_id AND played = 0;
END;
CREATE TRIGGER newness_changed AFTER UPDATE ON playback BEGIN
  UPDATE new_episode SET played = new.played
   WHERE user_id = new.user_id AND podcast_id = new.podcast_id AND episode_id = new.episode_id AND played <> new.played;
END;
CREATE TRIGGER newness_forgotten AFTER DELETE ON playback WHEN old.played = 1 BEGIN
  UPDATE new_episode SET played = 0
   WHERE user_id = old.user_id AND podcast_id = old.podcast_id AND episode_id = old.episode_id AND played = 1;
END;

-- Of what an earlier release stored, only the episodes of the last two weeks are new.
INSERT INTO new_episode (user_id, podcast_id, episode_id, played)
SELECT u.id, e.podcast_id, e.id, coalesce(h.played, 0)
  FROM episode e JOIN podcast p ON p.id = e.podcast_id
  JOIN user u ON u.created_at < e.first_seen_at
  LEFT JOIN playback h ON h.user_id = u.id AND h.episode_id = e.id
 WHERE e.published_at > max(p.added_at, 1000 * (unixepoch() - 14 * 86400)) AND e.aside = 0 AND e.superseded = 0
   AND e.first_seen_at > (SELECT min(x.first_seen_at) FROM episode x WHERE x.podcast_id = p.id);
