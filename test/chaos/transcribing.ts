import type { SetAsideItem } from '../../src/shared/api/job'
import { Database } from 'bun:sqlite'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Transcript, TranscriptionList } from '../../src/shared/api/texts'
import { noise, rss, silentMp3 } from '../support/builders'
import { startExecutable } from '../support/executable'
import { startFeedHost } from '../support/feed-host'
import { startRandom } from '../support/random'

type Options = { files: number; kills: number; seed: number; log?: (text: string) => void }
type Report = {
  violations: string[]
  kills: number
  /** Files of which a part arrived, and those that arrived whole. */
  begun: number
  received: number
  /** Files that were sent whole more than once, since their answer was not kept before a kill. */
  repeated: number
}

/** The moments in the life of a file at which the process is killed, or right after. */
const stages = ['begun', 'half', 'received', 'answering', 'answered'] as const
type Stage = (typeof stages)[number]

/** More than the buffers of a connection hold, so that a kill meets a file that is half sent. */
const FILE_BYTES = 12_000_000
const ENDS_WITHIN_MS = 120_000

/**
 * Has files transcribed, kills the executable again and again while it sends them, and looks whether one was sent after
 * its answer was kept. `bun run build` first.
 */
export async function transcribingRounds({ files, kills, seed, log = () => {} }: Options): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-transcribing-'))
  const random = startRandom(seed)
  const violations: string[] = []
  using host = startFeedHost()
  using speech = startSpeech(files)
  const env = { DATA_DIRECTORY: join(folder, 'data'), DISK_RESERVE: '0', TRANSCRIPTION_URL: speech.origin }
  try {
    await plant(env, host, files)
    for (let kill = 0; kill < kills; kill++) {
      const stage = stages[kill % stages.length]!
      const afterMs = random.below(12)
      const reached = speech.next(stage)
      const server = await startExecutable(env)
      await tryAgain(server)
      const isReached = await Promise.race([reached.then(() => true), Bun.sleep(15_000).then(() => false)])
      await Bun.sleep(afterMs)
      server.process.kill('SIGKILL')
      await server.process.exited
      const kept = keptIn(folder)
      log(`kill ${kill + 1}: ${isReached ? stage : 'nothing was sent'} + ${afterMs} ms; ${kept.size} answers kept`)
      speech.kept(kept)
    }
    violations.push(...(await finish(env, files)))
    violations.push(...speech.sentAfterwards().map(title => `${title} was sent although its answer was kept`))
    const counts = speech.counts()
    return { violations, kills, ...counts }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const titleOf = (index: number) => `Episode ${index}`
/** Each file has a length of its own, by which a request is recognised before its body is here. */
const lengthOf = (index: number) => FILE_BYTES + index * 1000

async function plant(env: Record<string, string>, host: ReturnType<typeof startFeedHost>, files: number) {
  const items = Array.from({ length: files }, (_, index) => {
    const head = silentMp3(1)
    const bytes = Buffer.concat([head, noise(lengthOf(index) - head.byteLength, index)])
    return { title: titleOf(index), guid: titleOf(index), enclosure: host.file(`/${index}.mp3`, bytes) }
  })
  await using server = await startExecutable({ ...env, TRANSCRIPTION_URL: '' })
  const feed = { rssFeedUrl: host.feed('/feed.xml', rss({ items })), first_downloads: 0 }
  const { id } = await server.api<{ id: string }>('/podcasts/feed', feed)
  const put = (path: string, body: unknown) =>
    fetch(`${server.origin}/api/v1${path}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  await put(`/podcasts/${id}/settings`, { autoTranscribe: true })
  await server.api(`/podcasts/${id}/episodes/download-all`, {})
  for (let done = 0; done < files; await Bun.sleep(50)) {
    const episodes = await server.api<{ podcastEpisode: { status: boolean } }[]>(`/podcasts/${id}/episodes?limit=200`)
    done = episodes.filter(({ podcastEpisode }) => podcastEpisode.status).length
  }
}

/** The titles of the episodes whose answer is in the database that a kill left behind. */
function keptIn(folder: string): Set<string> {
  const copy = join(folder, 'copy')
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy)
  for (const name of ['castellan.db', 'castellan.db-wal'])
    if (existsSync(join(folder, 'data', name))) cpSync(join(folder, 'data', name), join(copy, name))
  using db = new Database(join(copy, 'castellan.db'))
  const rows = db
    .query<{ title: string }, []>(
      'SELECT e.title FROM transcription t JOIN episode e ON e.id = t.episode_id WHERE t.sent_digest IS NOT NULL',
    )
    .all()
  return new Set(rows.map(({ title }) => title))
}

/** Lets it come to an end, and lists what is not as it should be. */
async function finish(env: Record<string, string>, files: number): Promise<string[]> {
  await using server = await startExecutable(env)
  await tryAgain(server)
  const until = performance.now() + ENDS_WITHIN_MS
  for (;;) {
    const { items, counts } = await server.api<TranscriptionList>('/transcriptions')
    if (items.length === 0) break
    if (performance.now() > until) return [`not done: ${JSON.stringify(counts)}`]
    await Bun.sleep(100)
  }
  const [podcast] = await server.api<{ id: string }[]>('/podcasts')
  const episodes = await server.api<{ podcastEpisode: { id: string; name: string } }[]>(
    `/podcasts/${podcast!.id}/episodes?limit=200`,
  )
  const wrong = await Promise.all(
    episodes.map(async ({ podcastEpisode: { id, name } }) => {
      const found = await server
        .api<Transcript & { segments: { text: string }[] }>(`/podcasts/episodes/${id}/transcript`)
        .catch(() => null)
      return found?.segments[0]?.text === `This is ${name}.`
        ? []
        : [`${name} has the transcript ${found?.segments[0]?.text}`]
    }),
  )
  return [...wrong.flat(), ...(episodes.length === files ? [] : [`${episodes.length} episodes of ${files}`])]
}

/** A speech server that tells in which stage each file is. */
function startSpeech(files: number) {
  const titles = new Map(Array.from({ length: files }, (_, index) => [lengthOf(index), titleOf(index)]))
  const begun: string[] = []
  const received: string[] = []
  const wrong = new Set<string>()
  let kept: ReadonlySet<string> = new Set()
  const waiting: { stage: Stage; resolve: () => void }[] = []

  function enter(stage: Stage) {
    for (const { resolve } of waiting.filter(one => one.stage === stage)) resolve()
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      // The fields of the form take some hundred bytes.
      const length = Number(request.headers.get('content-length'))
      const title = [...titles].find(([bytes]) => length - bytes > 0 && length - bytes < 1000)?.[1] ?? 'unknown'
      begun.push(title)
      if (kept.has(title)) wrong.add(title)
      enter('begun')
      let read = 0
      for await (const chunk of request.body!) {
        if (read < length / 2 && read + chunk.byteLength >= length / 2) enter('half')
        read += chunk.byteLength
      }
      received.push(title)
      enter('received')
      const text = JSON.stringify({ language: 'en', segments: [{ start: 0, end: 1, text: `This is ${title}.` }] })
      return new Response(answerOf(text, enter), { headers: { 'Content-Type': 'application/json' } })
    },
    error: () => new Response('', { status: 500 }),
  })
  return {
    origin: `http://127.0.0.1:${server.port}`,
    /** Waits until a file enters a stage, from now on. */
    next(stage: Stage) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.splice(0, waiting.length, { stage, resolve })
      return promise
    },
    kept: (titlesOfKept: ReadonlySet<string>) => (kept = titlesOfKept),
    sentAfterwards: () => [...wrong],
    counts: () => ({
      begun: begun.length,
      received: received.length,
      repeated: received.length - new Set(received).size,
    }),
    [Symbol.dispose]: () => void server.stop(true),
  }
}

/** Sends an answer in two halves. */
const answerOf = (text: string, enter: (stage: Stage) => void) =>
  new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from(text.slice(0, text.length / 2)))
      enter('answering')
      await Bun.sleep(5)
      controller.enqueue(Buffer.from(text.slice(text.length / 2)))
      controller.close()
      enter('answered')
    },
  })

/** Tries again what two deaths set aside, as a person does. */
async function tryAgain({ origin, api }: Awaited<ReturnType<typeof startExecutable>>) {
  for (const { kind, key } of await api<SetAsideItem[]>('/set-aside'))
    await fetch(`${origin}/api/v1/set-aside/retry`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ kind, key }),
    })
}
