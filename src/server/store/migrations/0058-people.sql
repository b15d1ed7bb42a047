-- The people whom feeds name, told apart by their names, and what they took part in. Triggers keep them as `extras` has
-- them, whoever writes it; `portrait`: the place in it of the first entry with a picture.
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE UNIQUE);
CREATE VIRTUAL TABLE person_index USING fts5 (
  name, content = '', contentless_delete = 1, detail = none, prefix = '1 2', tokenize = "unicode61 remove_diacritics 2"
);
CREATE TRIGGER person_indexed AFTER INSERT ON person BEGIN
  INSERT INTO person_index (rowid, name) VALUES (new.id, new.name);
END;
CREATE TRIGGER person_unindexed AFTER DELETE ON person BEGIN
  DELETE FROM person_index WHERE rowid = old.id;
END;

CREATE TABLE podcast_person (
  person_id  INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
  podcast_id INTEGER NOT NULL REFERENCES podcast ON DELETE CASCADE,
  portrait   INTEGER,
  PRIMARY KEY (person_id, podcast_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX podcast_person_of ON podcast_person (podcast_id, person_id);

CREATE TABLE episode_person (
  person_id    INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
  published_at INTEGER NOT NULL,
  episode_id   INTEGER NOT NULL REFERENCES episode ON DELETE CASCADE,
  portrait     INTEGER,
  PRIMARY KEY (person_id, published_at, episode_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX episode_person_of ON episode_person (episode_id, person_id);

-- The places of a feed were one text, and parts of payments are numbers now.
UPDATE podcast
   SET extras = json_remove(json_set(extras, '$.locations',
                            json_array(json_object('name', substr(extras ->> '$.location', 1, 500)))), '$.location')
 WHERE extras ->> '$.location' IS NOT NULL;
UPDATE episode
   SET extras = json_remove(json_set(extras, '$.locations',
                            json_array(json_object('name', substr(extras ->> '$.location', 1, 500)))), '$.location')
 WHERE extras ->> '$.location' IS NOT NULL;
-- Their feeds are read whole at the next check.
UPDATE podcast SET etag = NULL, last_modified = NULL, body_digest = NULL
 WHERE extras ->> '$.value' IS NOT NULL
    OR id IN (SELECT podcast_id FROM episode WHERE extras ->> '$.value' IS NOT NULL);
UPDATE podcast SET extras = json_remove(extras, '$.value') WHERE extras ->> '$.value' IS NOT NULL;
UPDATE episode SET extras = json_remove(extras, '$.value') WHERE extras ->> '$.value' IS NOT NULL;

INSERT OR IGNORE INTO person (name)
SELECT substr(j.value ->> 'name', 1, 500) FROM podcast p, json_each(p.extras, '$.persons') j;
INSERT OR IGNORE INTO person (name)
SELECT substr(j.value ->> 'name', 1, 500) FROM episode e, json_each(e.extras, '$.persons') j WHERE e.extras IS NOT NULL;
INSERT INTO podcast_person (person_id, podcast_id, portrait)
SELECT n.id, p.id, min(iif(j.value ->> 'img' IS NULL, NULL, j.key))
  FROM podcast p, json_each(p.extras, '$.persons') j JOIN person n ON n.name = substr(j.value ->> 'name', 1, 500)
 GROUP BY n.id, p.id;
INSERT INTO episode_person (person_id, published_at, episode_id, portrait)
SELECT n.id, e.published_at, e.id, min(iif(j.value ->> 'img' IS NULL, NULL, j.key))
  FROM episode e, json_each(e.extras, '$.persons') j JOIN person n ON n.name = substr(j.value ->> 'name', 1, 500)
 WHERE e.extras IS NOT NULL GROUP BY n.id, e.id;

CREATE TRIGGER podcast_people AFTER UPDATE OF extras ON podcast
WHEN new.extras ->> '$.persons' IS NOT old.extras ->> '$.persons' BEGIN
  INSERT OR IGNORE INTO person (name) SELECT value ->> 'name' FROM json_each(new.extras, '$.persons');
  INSERT INTO podcast_person (person_id, podcast_id, portrait)
  SELECT n.id, new.id, min(iif(j.value ->> 'img' IS NULL, NULL, j.key))
    FROM json_each(new.extras, '$.persons') j JOIN person n ON n.name = j.value ->> 'name' WHERE true GROUP BY n.id
  ON CONFLICT DO UPDATE SET portrait = excluded.portrait;
  DELETE FROM podcast_person
   WHERE podcast_id = new.id
     AND person_id NOT IN (SELECT n.id FROM json_each(new.extras, '$.persons') j JOIN person n ON n.name = j.value ->> 'name');
END;
CREATE TRIGGER podcast_person_gone AFTER DELETE ON podcast_person
WHEN NOT EXISTS (SELECT 1 FROM podcast_person WHERE person_id = old.person_id)
 AND NOT EXISTS (SELECT 1 FROM episode_person WHERE person_id = old.person_id) BEGIN
  DELETE FROM person WHERE id = old.person_id;
END;

CREATE TRIGGER episode_people_added AFTER INSERT ON episode WHEN new.extras ->> '$.persons[0]' IS NOT NULL BEGIN
  INSERT OR IGNORE INTO person (name) SELECT value ->> 'name' FROM json_each(new.extras, '$.persons');
  INSERT INTO episode_person (person_id, published_at, episode_id, portrait)
  SELECT n.id, new.published_at, new.id, min(iif(j.value ->> 'img' IS NULL, NULL, j.key))
    FROM json_each(new.extras, '$.persons') j JOIN person n ON n.name = j.value ->> 'name' GROUP BY n.id;
END;
CREATE TRIGGER episode_people AFTER UPDATE OF extras ON episode
WHEN new.extras ->> '$.persons' IS NOT old.extras ->> '$.persons' BEGIN
  INSERT OR IGNORE INTO person (name) SELECT value ->> 'name' FROM json_each(new.extras, '$.persons');
  INSERT INTO episode_person (person_id, published_at, episode_id, portrait)
  SELECT n.id, new.published_at, new.id, min(iif(j.value ->> 'img' IS NULL, NULL, j.key))
    FROM json_each(new.extras, '$.persons') j JOIN person n ON n.name = j.value ->> 'name' WHERE true GROUP BY n.id
  ON CONFLICT (episode_id, person_id) DO UPDATE SET portrait = excluded.portrait, published_at = excluded.published_at;
  DELETE FROM episode_person
   WHERE episode_id = new.id
     AND person_id NOT IN (SELECT n.id FROM json_each(new.extras, '$.persons') j JOIN person n ON n.name = j.value ->> 'name');
END;
CREATE TRIGGER episode_people_moved AFTER UPDATE OF published_at ON episode WHEN new.published_at <> old.published_at BEGIN
  UPDATE episode_person SET published_at = new.published_at WHERE episode_id = new.id;
END;
CREATE TRIGGER episode_person_gone AFTER DELETE ON episode_person
WHEN NOT EXISTS (SELECT 1 FROM episode_person WHERE person_id = old.person_id)
 AND NOT EXISTS (SELECT 1 FROM podcast_person WHERE person_id = old.person_id) BEGIN
  DELETE FROM person WHERE id = old.person_id;
END;
