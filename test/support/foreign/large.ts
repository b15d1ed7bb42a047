import { closeSync, openSync, writeSync } from 'node:fs'
import { writeGpodder } from './gpodder'
import { changeForeign } from './write'

const EPISODES_OF_A_PODCAST = 2000
const podcastsFor = (rows: number) => Math.ceil(rows / EPISODES_OF_A_PODCAST)
const NOTES = 'What the episode is about. '.repeat(12)

/** Writes the database of a gPodder desktop with `rows` played episodes. */
export function writeLargeGpodder(path: string, rows: number) {
  writeGpodder(path, 'https://pod.example')
  const podcasts = podcastsFor(rows)
  changeForeign(
    path,
    `DELETE FROM podcast;
     DELETE FROM episode;
     WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${podcasts})
     INSERT INTO podcast (id, title, url) SELECT i, 'Podcast ' || i, 'https://pod.example/' || i || '.xml' FROM n;
     WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
     INSERT INTO episode (id, podcast_id, title, description, url, published, guid, current_position, total_time,
                          last_playback)
     SELECT i, i % ${podcasts} + 1, 'Episode ' || i, '${NOTES}', 'https://pod.example/' || i || '.mp3',
            1600000000 + i, 'guid-' || i, 60, 1800, 1770000000 FROM n;`,
  )
  return path
}

type Table = { name: string; columns: string; rows: number; row: (number: number) => (string | number | null)[] }

const tables = (rows: number): Table[] => [
  { name: 'Users', columns: 'userid, username', rows: 2, row: at => [at, at === 1 ? 'background_tasks' : 'mara'] },
  {
    name: 'Podcasts',
    columns: 'podcastid, podcastname, feedurl, userid',
    rows: podcastsFor(rows),
    row: at => [at, `Podcast ${at}`, `https://pod.example/${at}.xml`, 2],
  },
  {
    name: 'Episodes',
    columns: 'episodeid, podcastid, episodetitle, episodedescription, episodeurl, episodeguid, completed',
    rows,
    row: at => [
      at,
      (at % podcastsFor(rows)) + 1,
      `Episode ${at}`,
      NOTES,
      `https://pod.example/${at}.mp3`,
      `guid-${at}`,
      at % 3 === 0 ? 't' : 'f',
    ],
  },
  {
    name: 'UserEpisodeHistory',
    columns: 'userepisodehistoryid, userid, episodeid, listendate, listenduration',
    rows,
    row: at => [at, 2, at, '2026-02-01 10:00:00', 60],
  },
]

/** Writes a PostgreSQL dump of a server with `rows` played episodes. */
export function writeLargePinepods(path: string, rows: number) {
  const file = openSync(path, 'w')
  writeSync(file, '--\n-- PostgreSQL database dump\n--\n\n')
  for (const table of tables(rows)) {
    writeSync(file, `COPY public."${table.name}" (${table.columns}) FROM stdin;\n`)
    for (let from = 1; from <= table.rows; from += 1000) {
      const count = Math.min(1000, table.rows - from + 1)
      writeSync(file, Array.from({ length: count }, (_, at) => `${table.row(from + at).join('\t')}\n`).join(''))
    }
    writeSync(file, '\\.\n\n')
  }
  writeSync(file, '--\n-- PostgreSQL database dump complete\n--\n')
  closeSync(file)
  return path
}
