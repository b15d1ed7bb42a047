import { writeForeign } from './write'

const schema = `
  CREATE TABLE podcasts (_id INTEGER PRIMARY KEY, feed_url TEXT, name TEXT, custom_name TEXT, author TEXT,
    homepage TEXT, category TEXT, subscribed_status INTEGER, iTunesID TEXT);
  CREATE TABLE episodes (_id INTEGER PRIMARY KEY, podcast_id INTEGER, guid TEXT, download_url TEXT, url TEXT,
    name TEXT, publication_date INTEGER, duration_ms INTEGER, duration TEXT, position_to_resume INTEGER,
    seen_status INTEGER, favorite INTEGER, playbackDate INTEGER, content TEXT, is_virtual INTEGER);`

/** The rows as the app keeps them, with settings of no podcast and numbers that are none. */
export const preferences = `<?xml version='1.0' encoding='utf-8' standalone='yes' ?>
<map>
    <float name="pref_speedAdjustment" value="1.1" />
    <float name="pref_speedAdjustment_1" value="1.48" />
    <boolean name="pref_speedPlaybackOn_1" value="true" />
    <string name="pref_podcastOffset_1">20</string>
    <string name="pref_podcastOutroOffset_1">soon</string>
    <float name="pref_speedAdjustment_2" value="2.0" />
    <boolean name="pref_speedPlaybackOn_2" value="false" />
</map>`

/** A phone with six podcasts: one with its own title, one gone, one heard once, one looked at, two of no feed. */
export function writePodcastAddict(path: string, origin: string) {
  const episode = (id: number, podcast: number, guid: string, more: Record<string, string | number | null> = {}) => ({
    _id: id,
    podcast_id: podcast,
    guid,
    download_url: `${origin}/${guid}.mp3`,
    name: `Title ${guid}`,
    publication_date: Date.UTC(2026, 0, 4),
    duration_ms: 1_800_500,
    position_to_resume: 0,
    seen_status: 0,
    favorite: 0,
    playbackDate: -1,
    ...more,
  })
  const played = Date.UTC(2026, 1, 1, 10)
  return writeForeign(path, schema, {
    podcasts: [
      { _id: -1, feed_url: null, name: 'Opened by hand', subscribed_status: 1 },
      { _id: 1, feed_url: `${origin}/alpha.xml`, name: 'Alpha', custom_name: 'My Alpha', subscribed_status: 1 },
      { _id: 2, feed_url: `${origin}/gone.xml`, name: 'Gone', custom_name: '', subscribed_status: 1 },
      { _id: 3, feed_url: `${origin}/beta.xml`, name: 'Beta', subscribed_status: 0 },
      { _id: 4, feed_url: `${origin}/looked.xml`, name: 'Looked at', subscribed_status: 0 },
      { _id: 5, feed_url: 'https://www.youtube.com/channel/x', name: 'Videos', subscribed_status: 1 },
      { _id: 6, feed_url: 'virtual:folder', name: 'A folder', subscribed_status: 1 },
    ],
    episodes: [
      episode(11, 1, 'a1', { position_to_resume: 90_900, playbackDate: played }),
      episode(12, 1, 'a2', { seen_status: 1, playbackDate: played + 1 }),
      episode(13, 1, 'a3', { favorite: 1 }),
      // Before it began, and a time that nobody has meant.
      episode(14, 1, 'a4', { position_to_resume: -1, seen_status: 1, playbackDate: 0 }),
      episode(15, 1, 'dropped', {
        position_to_resume: 5000,
        playbackDate: null,
        duration_ms: null,
        publication_date: -1,
      }),
      // Of a feed that is gone: two episodes with one guid.
      episode(21, 2, 'g1', { guid: 'same', position_to_resume: 1000, playbackDate: played, name: 'One' }),
      episode(22, 2, 'g2', {
        guid: 'same',
        seen_status: 1,
        playbackDate: played,
        name: 'Two',
        publication_date: Date.UTC(2026, 0, 5),
      }),
      episode(31, 3, 'b2', { position_to_resume: 2000, playbackDate: played }),
      episode(51, 5, 'v1', { position_to_resume: 2000 }),
      episode(-1, -1, 'hand', { position_to_resume: 2000 }),
    ],
  })
}
