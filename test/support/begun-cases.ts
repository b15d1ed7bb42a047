import type { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { encode } from 'fast-png'
import { type WorkKind, workKinds } from '../../src/shared/api/job'
import { temporaryFolder } from './app'
import { noise, rss, silentMp3, withChapters, type ItemSpec } from './builders'
import { webhookAt } from './destinations'
import type { startExecutable } from './executable'
import type { FeedHost } from './feed-host'

type Running = Awaited<ReturnType<typeof startExecutable>>
type Added = { id: string }
export type World = { host: FeedHost; running: Running; database: () => Database }

/** How the server comes to work on a kind of item. */
type BegunCase = {
  /** Lets a server that nobody kills prepare the item. */
  prepare?: (world: World) => Promise<unknown>
  /** Lets the server begin to work on it. Without this, a start does so. */
  begin?: (world: World) => Promise<unknown>
  /** Makes it due again while the server is stopped, where a start does not do so by itself. */
  makeDue?: (db: Database) => void
  /** The label that people read, where that isn't the title of the episode. */
  label: string
  env?: Record<string, string>
}

const ITEMS = 3000
const SIDE = 2500
const paint = (data: Uint8Array) => encode({ width: SIDE, height: SIDE, channels: 3, data })
/** A picture that takes a while to decode. */
const paintCover = () => paint(new Uint8Array(SIDE * SIDE * 3).map((_, at) => at % 251))
/** A picture that takes a while to write, too: noise does not get smaller. */
const paintNoise = () => paint(noise(SIDE * SIDE * 3))
const hangs = () => new Promise<Response>(() => {})
const words = 'lamp fog tide salt harbour keeper whistle '.repeat(40)
/** A file that takes a while to read. */
const longTag = () =>
  withChapters(
    silentMp3(3),
    Array.from({ length: 2000 }, (_, index) => ({ start: index, end: index + 1, title: `Part ${index}` })),
  )
const many = (host: FeedHost, extra: Partial<ItemSpec> = {}) =>
  rss({
    items: Array.from({ length: ITEMS }, (_, index) => ({
      guid: `g${index}`,
      title: `Part ${index}`,
      notes: `${words}${index}`,
      enclosure: `${host.origin}/${index}.mp3`,
      ...extra,
    })),
  })
const one = (host: FeedHost, more: Partial<ItemSpec> = {}, image?: string) =>
  rss({
    ...(image && { image }),
    items: [{ guid: 'a', title: 'The lamp', enclosure: `${host.origin}/a.mp3`, ...more }],
  })

const subscribe = ({ host, running }: World, body: string) =>
  running.api<Added>('/podcasts/feed', { rssFeedUrl: host.feed('/feed.xml', body) })
export const call = ({ running }: Pick<World, 'running'>, method: string, path: string, body?: unknown) =>
  fetch(`${running.origin}/api/v1${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const firstEpisode = async ({ running }: World, { id }: Added) => {
  const [first] = await running.api<{ podcastEpisode: { episode_id: string } }[]>(`/podcasts/${id}/episodes`)
  return first!.podcastEpisode.episode_id
}
/** Subscribes to a podcast and downloads its episode. */
async function download(world: World, audio: Uint8Array, body = one(world.host)) {
  world.host.file('/a.mp3', audio)
  const podcast = await subscribe(world, body)
  const episode = await firstEpisode(world, podcast)
  await call(world, 'PUT', `/podcasts/${episode}/episodes/download`)
  await isThere(world, "FROM download WHERE state = 'done'")
  return { podcast, episode }
}

/** Waits for rows in the database; the time limit of the test ends it. */
async function isThere({ database }: World, from: string) {
  while (database().query(`SELECT 1 ${from} LIMIT 1`).get() === null) await Bun.sleep(10)
}

const cases: Record<WorkKind, BegunCase> = {
  backup: { label: 'scheduled' },
  check: { label: 'database', env: { BUN_OPTIONS: `--preload=${join(import.meta.dir, 'fast-clock.ts')}` } },
  color: {
    label: 'Lighthouse Radio',
    async prepare(world) {
      const picture = world.host.file('/cover.png', paintCover(), { type: 'image/png' })
      await subscribe(world, one(world.host, {}, picture))
      await isThere(world, 'FROM cover WHERE color IS NOT NULL')
    },
    makeDue: db => db.run('UPDATE cover SET color = NULL'),
  },
  cover: {
    label: 'Lighthouse Radio',
    begin: world =>
      subscribe(world, one(world.host, {}, world.host.file('/cover.png', paintCover(), { type: 'image/png' }))),
  },
  delivery: {
    label: 'Mine',
    async begin(world) {
      world.host.on('/hook', hangs)
      // An episode that is downloaded is no news before its file is here.
      await call(world, 'PUT', '/settings', { autoDownload: false })
      await world.running.api('/destinations', webhookAt(`${world.host.origin}/hook`))
      const { id } = await subscribe(world, one(world.host))
      world.host.feed(
        '/feed.xml',
        one(world.host, { guid: 'b', date: new Date().toUTCString(), enclosure: `${world.host.origin}/b.mp3` }),
      )
      await call(world, 'POST', `/podcasts/${id}/refresh`)
    },
    makeDue: db => db.run('UPDATE delivery SET due_at = 0'),
  },
  document: {
    label: 'The tide',
    async begin(world) {
      const cues = Array.from(
        { length: 60_000 },
        (_, index) => `${index + 1}\n00:00:01,000 --> 00:00:02,000\n${words}\n`,
      )
      const address = world.host.on('/t.srt', () => new Response(cues.join('\n').slice(0, 9_000_000)))
      await subscribe(world, one(world.host))
      const extra = `<podcast:transcript url="${address}" type="application/srt"/>`
      world.host.feed(
        '/feed.xml',
        rss({ items: [{ guid: 'b', title: 'The tide', enclosure: `${world.host.origin}/b.mp3`, extra }] }),
      )
      await call(world, 'POST', '/podcasts/all')
    },
  },
  download: {
    label: 'The lamp',
    async begin(world) {
      world.host.on('/a.mp3', hangs)
      const podcast = await subscribe(world, one(world.host))
      await call(world, 'PUT', `/podcasts/${await firstEpisode(world, podcast)}/episodes/download`)
    },
  },
  feed: {
    label: 'Lighthouse Radio',
    async prepare(world) {
      await subscribe(world, one(world.host))
      world.host.feed('/feed.xml', many(world.host))
    },
    makeDue: db => db.run('UPDATE podcast SET next_check_at = 0'),
  },
  import: {
    // A feed without a title is named by its address, and a password in that is nobody's business.
    label: '://127.0.0.1:',
    begin(world) {
      const address = world.host.on('/slow.xml', hangs).replace('//', '//me:s3cret@')
      const content = `<opml version="2.0"><body><outline type="rss" xmlUrl="${address}"/></body></opml>`
      return call(world, 'POST', '/podcasts/opml', { content })
    },
  },
  index: {
    label: 'Part',
    prepare: world => subscribe(world, many(world.host)),
    makeDue: db => db.run('UPDATE episode SET search_place = NULL; DELETE FROM title_index; DELETE FROM text_index'),
  },
  'kept-file': {
    label: 'Lighthouse Radio/The lamp/The lamp.mp3',
    async begin(world) {
      const { podcast } = await download(world, longTag())
      await call(world, 'DELETE', `/podcasts/${podcast.id}`, { delete_files: false })
      await isThere(world, 'FROM kept_file')
      await subscribe(world, one(world.host))
    },
  },
  move: {
    label: 'list.opml',
    async begin(world) {
      const list = join(temporaryFolder(), 'list.opml')
      await Bun.write(
        list,
        '<opml version="2.0"><body><outline type="rss" text="A" xmlUrl="http://127.0.0.1:1/"/></body></opml>',
      )
      await call(world, 'POST', '/moves', { path: list })
    },
  },
  removal: {
    label: 'Lighthouse Radio',
    async begin(world) {
      const { id } = await subscribe(world, many(world.host))
      await call(world, 'DELETE', `/podcasts/${id}`, { delete_files: false })
    },
  },
  rename: {
    label: 'Lighthouse Radio/The lamp/The lamp.mp3',
    async begin(world) {
      await download(world, longTag())
      await call(world, 'POST', '/settings/rescan-episodes', {
        applyFilenames: false,
        applyMetadata: true,
        dryRun: false,
      })
    },
  },
  sidecar: {
    label: 'The lamp',
    async begin(world) {
      await call(world, 'PUT', '/settings', { sidecars: true })
      const picture = world.host.file('/cover.png', paintNoise(), { type: 'image/png' })
      const podcast = await subscribe(world, one(world.host, {}, picture))
      await isThere(world, 'FROM cover WHERE color IS NOT NULL')
      world.host.file('/a.mp3', silentMp3(3))
      await call(world, 'PUT', `/podcasts/${await firstEpisode(world, podcast)}/episodes/download`)
    },
  },
  transcription: {
    label: 'The lamp',
    async begin(world) {
      const { episode } = await download(world, silentMp3(3))
      await call(world, 'POST', `/podcasts/episodes/${episode}/transcription`)
    },
  },
}

/** Each kind of work, and each way in which one begins that a start resumes. */
export const begunCases: (BegunCase & { kind: WorkKind; name: string })[] = [
  ...workKinds.map(kind => ({ kind, name: kind, ...cases[kind] })),
  {
    kind: 'feed',
    name: 'the first reading of a feed',
    label: 'Lighthouse Radio',
    begin: world => subscribe(world, many(world.host)),
    makeDue: cases.feed.makeDue!,
  },
]
