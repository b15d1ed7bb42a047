import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import type { EpisodeRef, Item } from '../item'
import { bytes, isOnTheWeb, isTrue, seconds, type Source, type SourceFile, text, time } from './source'

/** The server, whose player keeps positions in the browser; it knows what was played, not when. */
export const podgrab: Source = {
  name: 'podgrab',
  title: 'Podgrab',
  isFile: true,
  recognise: ({ db }) => db?.hasTables('podcasts', 'podcast_items', 'job_locks') ?? false,
  read,
}

async function* read({ db, now }: SourceFile): AsyncGenerator<Item> {
  use(db!)
  yield* readPodcasts(db!)
  yield* readFeeds(db!)
  for (const row of db!.rows(items('i.is_played = 1'))) {
    const episode = refOf(row, now)
    yield { is: 'position', user: null, episode, position: 0, total: episode.duration, finished: true, at: null }
  }
  // A row is bookmarked since a date; the earliest possible date means that it is not.
  for (const row of db!.rows(items(`i.bookmark_date NOT LIKE '0001-%'`)))
    yield { is: 'like', user: null, episode: refOf(row, now), at: time(row.bookmark_date, 'text', now) }
  for (const row of db!.rows(items('i.download_status = 3'))) yield { is: 'removed', episode: refOf(row, now) }
  for (const row of db!.rows(items('i.download_status = 2'))) {
    const [path, size, at] = [text(row.download_path), bytes(row.file_size), time(row.download_date, 'text', now)]
    if (path !== null) yield { is: 'file', episode: refOf(row, now), path, size, at }
  }
}

const use = (db: ForeignDatabase) =>
  db.use({
    podcasts: { keys: ['id'], must: ['url'], may: ['title', 'is_paused', 'deleted_at'] },
    podcast_items: {
      keys: ['id', 'podcast_id'],
      must: ['title', 'file_url'],
      may: `guid summary duration pub_date download_status download_path download_date file_size is_played
        bookmark_date deleted_at`.split(/\s+/),
    },
    tags: { keys: ['id'], must: ['label'], may: ['description', 'deleted_at'] },
    podcast_tags: { keys: ['podcast_id', 'tag_id'] },
  })

const podcasts = 'SELECT * FROM podcasts WHERE deleted_at IS NULL ORDER BY id'

const items = (condition: string) => `
  SELECT i.*, p.url AS feed FROM podcast_items i JOIN podcasts p ON p.id = i.podcast_id
   WHERE i.deleted_at IS NULL AND p.deleted_at IS NULL AND ${condition} ORDER BY i.podcast_id, i.id`

const tags = `
  SELECT t.label, t.description, p.url AS feed FROM tags t JOIN podcast_tags x ON x.tag_id = t.id
    JOIN podcasts p ON p.id = x.podcast_id
   WHERE t.deleted_at IS NULL AND p.deleted_at IS NULL ORDER BY t.id, p.id`

function* readPodcasts(db: ForeignDatabase): Generator<Item> {
  for (const row of db.rows(podcasts)) {
    const feed = text(row.url)
    if (feed === null || !isOnTheWeb(feed)) continue
    yield { is: 'podcast', feed, title: text(row.title), active: !isTrue(row.is_paused) }
  }
}

function* readFeeds(db: ForeignDatabase): Generator<Item> {
  for (const row of db.rows(podcasts)) {
    const feed = text(row.url)
    if (feed !== null && isOnTheWeb(feed)) yield { is: 'subscription', user: null, feed }
    else yield { is: 'left-out', kind: 'podcasts', reason: 'not-on-the-web', feed }
  }
  for (const row of db.rows(tags)) {
    const [feed, name] = [text(row.feed), text(row.label, 100)]
    if (feed !== null && name !== null) yield { is: 'tag', user: null, feed, name, description: text(row.description) }
  }
}

const refOf = (row: ForeignRow, now: number): EpisodeRef => ({
  feed: text(row.feed) ?? '',
  guid: text(row.guid),
  address: text(row.file_url),
  title: text(row.title),
  publishedAt: time(row.pub_date, 'text', now),
  duration: seconds(row.duration),
  notes: text(row.summary, 20_000),
})
