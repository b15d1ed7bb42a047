import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { encode } from 'fast-png'
import type { SetAsideItem, WorkKind } from '../src/shared/api/set-aside'
import { temporaryFolder } from './support/app'
import { rss, silentMp3, type ItemSpec } from './support/builders'
import { runExecutable, startExecutable } from './support/executable'
import { startFeedHost, type FeedHost } from './support/feed-host'

type Running = Awaited<ReturnType<typeof startExecutable>>
type Added = { id: string }
type World = { host: FeedHost; running: Running; database: () => Database }
type Case = {
  kind: WorkKind
  /** Lets the server begin to work on the item. */
  begin: (world: World) => Promise<unknown>
  /** Makes it due again while the server is stopped, where a start does not do so by itself. */
  makeDue?: (db: Database) => void
}

const ITEMS = 3000
/** A picture that takes a while to decode. */
const paintCover = () =>
  encode({ width: 2500, height: 2500, channels: 3, data: new Uint8Array(2500 * 2500 * 3).map((_, at) => at % 251) })
const hangs = () => new Promise<Response>(() => {})
const words = 'lamp fog tide salt harbour keeper whistle '.repeat(40)
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
const one = (host: FeedHost, more: Partial<ItemSpec> = {}) =>
  rss({ items: [{ guid: 'a', title: 'The lamp', enclosure: `${host.origin}/a.mp3`, ...more }] })

async function subscribe({ host, running }: World, body: string): Promise<Added> {
  return running.api<Added>('/podcasts/feed', { rssFeedUrl: host.feed('/feed.xml', body) })
}
const call = ({ running }: World, method: string, path: string, body?: unknown) =>
  fetch(`${running.origin}/api/v1${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const firstEpisode = async ({ running }: World, { id }: Added) => {
  const [first] = await running.api<{ podcastEpisode: { episode_id: string } }[]>(`/podcasts/${id}/episodes`)
  return first!.podcastEpisode.episode_id
}

const cases: Case[] = [
  {
    kind: 'download',
    async begin(world) {
      world.host.on('/a.mp3', hangs)
      const podcast = await subscribe(world, one(world.host))
      await call(world, 'PUT', `/podcasts/${await firstEpisode(world, podcast)}/episodes/download`)
    },
  },
  {
    kind: 'transcription',
    async begin(world) {
      world.host.file('/a.mp3', silentMp3(3))
      const podcast = await subscribe(world, one(world.host))
      const episode = await firstEpisode(world, podcast)
      await call(world, 'PUT', `/podcasts/${episode}/episodes/download`)
      await until(() => world.database().query("SELECT 1 FROM download WHERE state = 'done'").get())
      await call(world, 'POST', `/podcasts/episodes/${episode}/transcription`)
    },
  },
  {
    kind: 'import',
    begin: world =>
      call(world, 'POST', '/podcasts/opml', {
        content: `<opml version="2.0"><body><outline type="rss" text="Slow" xmlUrl="${world.host.on('/slow.xml', hangs)}"/></body></opml>`,
      }),
  },
  {
    kind: 'feed',
    async begin(world) {
      const { id } = await subscribe(world, one(world.host))
      world.host.feed('/feed.xml', many(world.host))
      await call(world, 'POST', `/podcasts/${id}/refresh`)
    },
    makeDue: db => db.run('UPDATE podcast SET next_check_at = 0'),
  },
  {
    kind: 'cover',
    async begin(world) {
      const picture = world.host.file('/cover.png', paintCover(), { type: 'image/png' })
      await subscribe(world, rss({ image: picture, items: [{ guid: 'a', enclosure: `${world.host.origin}/a.mp3` }] }))
    },
  },
  {
    kind: 'document',
    async begin(world) {
      const cues = Array.from(
        { length: 60_000 },
        (_, index) => `${index + 1}\n00:00:01,000 --> 00:00:02,000\n${words}\n`,
      )
      const address = world.host.on('/t.srt', () => new Response(cues.join('\n').slice(0, 9_000_000)))
      await subscribe(world, one(world.host))
      const extra = `<podcast:transcript url="${address}" type="application/srt"/>`
      world.host.feed('/feed.xml', rss({ items: [{ guid: 'b', enclosure: `${world.host.origin}/b.mp3`, extra }] }))
      await call(world, 'POST', '/podcasts/all')
    },
  },
  {
    kind: 'index',
    begin: world => subscribe(world, many(world.host)),
    makeDue: db => db.run('UPDATE episode SET search_place = NULL; DELETE FROM title_index; DELETE FROM text_index'),
  },
  {
    kind: 'removal',
    async begin(world) {
      const { id } = await subscribe(world, many(world.host))
      await call(world, 'DELETE', `/podcasts/${id}`, { delete_files: false })
    },
  },
  {
    kind: 'move',
    async begin(world) {
      const list = join(temporaryFolder(), 'list.opml')
      await Bun.write(
        list,
        '<opml version="2.0"><body><outline type="rss" text="A" xmlUrl="http://127.0.0.1:1/"/></body></opml>',
      )
      await call(world, 'POST', '/moves', { path: list })
    },
  },
]

/** Waits for something that the server does; the time limit of the test ends it. */
async function until<T>(find: () => T | null | undefined | Promise<T | null | undefined>): Promise<T> {
  for (;;) {
    const found = await find()
    if (found) return found
    await Bun.sleep(10)
  }
}

test.each(cases)(
  'what kills the server twice is set aside, named, and tried again: $kind',
  async ({ kind, begin, makeDue }) => {
    using host = startFeedHost()
    host.on('/v1/audio/transcriptions', hangs)
    const folder = temporaryFolder()
    const path = join(folder, 'castellan.db')
    const env = { DATA_DIRECTORY: folder, DISK_RESERVE: '0', TRANSCRIPTION_URL: `${host.origin}/v1` }
    const start = () => startExecutable(env)
    const databases: Database[] = []
    const database = () => {
      const db = new Database(path, { readonly: true })
      databases.push(db)
      return db
    }
    const killWhileWorking = (pid: number) =>
      Bun.spawn([process.execPath, join(import.meta.dir, 'support/watcher.ts'), path, kind, String(pid)], {
        stderr: 'inherit',
      })
    const prepare = () => {
      using db = new Database(path)
      makeDue?.(db)
    }

    let running = await start()
    let watcher = kind === 'index' ? null : killWhileWorking(running.process.pid)
    const begun = begin({ host, running, database }).catch(() => undefined)
    if (kind === 'index') {
      await begun
      running.process.kill('SIGKILL')
      await running.process.exited
      prepare()
      running = await start()
      watcher = killWhileWorking(running.process.pid)
    }
    await running.process.exited
    await watcher!.exited
    await begun
    prepare()
    running = await start()
    watcher = killWhileWorking(running.process.pid)
    await running.process.exited
    await watcher.exited

    prepare()
    await using third = await start()
    expect((await fetch(`${third.origin}/readyz`)).status).toBe(200)
    // Others that were under way are no less suspect.
    const listed = async () => (await third.api<SetAsideItem[]>('/set-aside')).filter(item => item.kind === kind)
    const [item] = await listed()
    expect(item!.label).not.toBe('')
    const { stdout } = await runExecutable(['doctor'], env)
    expect(stdout).toContain(`set aside, since the server stopped twice while working on it: ${kind} "${item!.label}"`)

    await call({ host, running: third, database }, 'POST', '/set-aside/retry', { kind, key: item!.key })
    expect(await listed()).toEqual([])
    for (const db of databases) db.close()
  },
  240_000,
)
