import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { latencies, mainThreadMs, peakMb, startUpMs } from '../process'
import { residentMb } from '../../../test/support/measure'
import { rss } from '../../../test/support/builders'
import { chapters, transcripts } from './documents'
import { copyLibrary, everything, plantEverything, type Everything } from './everything'
import { feeds } from './feeds'
import type { WorstInput } from './input'
import { media } from './media'
import { opmls } from './opml'
import { pictures } from './pictures'

// Measures the built executable with the worst inputs known, and with what is done to everything of a podcast or an
// account: its peak memory, and the longest that a request waited meanwhile. Each meets a fresh server. Exits with 1
// after a pause that nobody should meet. `bun run worst [words of a name]`,
// `bun run worst everything` for the latter.

const castellan = join(import.meta.dir, '../../../dist/castellan')
/** Far above what a quiet machine shows: this is for a rented one that does other things too. */
const MAX_PAUSE_MS = 1000
const wanted = process.argv.slice(2).join(' ').toLowerCase()
const folder = mkdtempSync(join(tmpdir(), 'castellan-worst-'))

type Started = Awaited<ReturnType<typeof startUpMs>>

const post = (address: string, body: unknown) =>
  fetch(address, { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } })

/** Answers the outcome in a word or two. */
async function subscribe({ origin }: Started, feed: string): Promise<string> {
  const response = await post(`${origin}/api/v1/podcasts/feed`, { rssFeedUrl: feed })
  const answer = (await response.json()) as { episode_count?: number; errorCode?: string }
  return answer.errorCode ?? `${answer.episode_count} episodes`
}

async function preview({ origin }: Started, address: string): Promise<string> {
  const content = await (await fetch(address)).text()
  const response = await post(`${origin}/api/v1/podcasts/opml/preview`, { content })
  const answer = (await response.json()) as { errorCode?: string; outlines?: unknown[] }
  return answer.errorCode ?? `${response.status}`
}

/** A feed with one episode, which has this file as its enclosure or document, or as the podcast's cover. */
async function subscribeTo({ origin }: Started, { enclosure, image, extra = '' }: Record<string, string>) {
  const items = enclosure || extra ? [{ title: 'Worst', ...(enclosure && { enclosure }), extra }] : []
  using host = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response(rss({ items, ...(image && { image }) })),
  })
  const answer = await post(`${origin}/api/v1/podcasts/feed`, { rssFeedUrl: `http://127.0.0.1:${host.port}/` })
  return (await answer.json()) as { id: string }
}

/** Downloads it, until the server has read what it says of itself. */
async function download(server: Started, enclosure: string): Promise<string> {
  const { id } = await subscribeTo(server, { enclosure })
  const get = async (path: string) => (await fetch(`${server.origin}/api/v1${path}`)).json()
  const [{ podcastEpisode }] = await get(`/podcasts/${id}/episodes`)
  await fetch(`${server.origin}/api/v1/podcasts/${podcastEpisode.episode_id}/episodes/download`, { method: 'PUT' })
  for (;;) {
    const [{ podcastEpisode: now }] = await get(`/podcasts/${id}/episodes`)
    if (now.status || now.download_state === 'failed') return now.status ? (now.chapters_unread ?? 'read') : 'refused'
    await Bun.sleep(50)
  }
}

const readTranscript = (server: Started, url: string) =>
  readDocument(server, 'transcripts', `<podcast:transcript url="${url}" type="text/vtt"/>`)
const readChapters = (server: Started, url: string) =>
  readDocument(server, 'chapters', `<podcast:chapters url="${url}" type="application/json+chapters"/>`)

/** Waits until the server has read an episode's document, and answers how many parts it found or why it found none. */
async function readDocument(server: Started, kind: 'transcripts' | 'chapters', extra: string): Promise<string> {
  const { id } = await subscribeTo(server, { extra })
  const get = async (path: string) => (await fetch(`${server.origin}/api/v1/podcasts${path}`)).json()
  const [{ podcastEpisode }] = await get(`/${id}/episodes`)
  const address = `/episodes/${podcastEpisode.id}`
  if (kind === 'chapters') return `${(await get(`${address}/chapters`)).length} chapters`
  const { segments } = await get(`${address}/transcript`)
  if (segments) return `${segments.length} segments`
  const [{ cause }] = await get(`${address}/transcripts`)
  return cause
}

/** Has it scaled to the largest size there is, and to the square that private feeds show. */
async function show(server: Started, image: string): Promise<string> {
  const { id } = await subscribeTo(server, { image })
  const answers = await Promise.all(
    ['1024', 'artwork'].map(size => fetch(`${server.origin}/covers/podcasts/${id}?size=${size}`)),
  )
  await Promise.all(answers.map(answer => answer.arrayBuffer()))
  return answers[0]!.headers.get('etag') === '"built-in"' ? 'refused' : 'scaled'
}

/** Has a fresh server meet one input. */
async function measure({ name, body, headers = {} }: WorstInput, meet: typeof subscribe, number: number) {
  const bytes = body()
  using host = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: () => new Response(bytes as BodyInit, { headers }),
  })
  const env = { DATA_DIRECTORY: join(folder, String(number)), PORT: '0', DISK_RESERVE: '0', LOG_FORMAT: 'text' }
  const server = await startUpMs([castellan], env, '/healthz')
  const settings = { podcastPrefill: 0 }
  await fetch(`${server.origin}/api/v1/settings`, {
    method: 'PUT',
    body: JSON.stringify(settings),
    headers: { 'Content-Type': 'application/json' },
  })
  await Bun.sleep(500)
  const rest = residentMb(server.pid)
  const began = performance.now()
  const work = meet(server, `http://127.0.0.1:${host.port}/`).catch(error => String(error))
  const pauses = await latencies(() => fetch(`${server.origin}/healthz`), work)
  const seconds = (performance.now() - began) / 1000
  const cells = [
    name,
    (bytes.byteLength / 1e6).toFixed(1),
    await work,
    seconds.toFixed(1),
    rest.toFixed(0),
    peakMb(server.pid).toFixed(0),
    Math.max(...pauses).toFixed(0),
  ]
  await server.stop()
  longest = Math.max(longest, ...pauses)
  console.log(`| ${cells.join(' | ')} |`)
}

/** Has a fresh server on a copy of the library do something to everything. */
async function measureAll(operation: Everything, library: string, number: number) {
  const data = join(folder, String(number))
  copyLibrary(library, data, operation)
  const env = { DATA_DIRECTORY: data, PORT: '0', DISK_RESERVE: '0', LOG_FORMAT: 'text' }
  const server = await startUpMs([castellan], env, '/healthz')
  const { origin, pid } = server
  const began = performance.now()
  const work = operation.act({ origin, data, castellan }).catch(error => String(error))
  let longestBlock = 0
  const ping = async () => {
    const before = mainThreadMs(pid)
    const response = await fetch(`${origin}/healthz`)
    longestBlock = Math.max(longestBlock, mainThreadMs(pid) - before)
    return response
  }
  const timeline = () => fetch(`${origin}/api/v1/podcasts/timeline`)
  const [pauses, lists] = await Promise.all([latencies(ping, work), latencies(timeline, work, 50)])
  const cells = [
    operation.name,
    await work,
    ((performance.now() - began) / 1000).toFixed(1),
    peakMb(pid).toFixed(0),
    longestBlock.toFixed(0),
    Math.max(...lists).toFixed(0),
    Math.max(...pauses).toFixed(0),
  ]
  await server.stop()
  rmSync(data, { recursive: true, force: true })
  longest = Math.max(longest, ...pauses)
  console.log(`| ${cells.join(' | ')} |`)
}

/** The inputs or operations of which the name has the wanted words. */
const isWanted = ({ name }: { name: string }) => name.toLowerCase().includes(wanted)

console.log('| input | MB sent | outcome | seconds | MiB at rest | MiB at most | longest pause of /healthz, ms |')
console.log('| --- | --- | --- | --- | --- | --- | --- |')
let number = 0
let longest = 0
try {
  for (const [inputs, meet] of [
    [feeds, subscribe],
    [opmls, preview],
    [transcripts, readTranscript],
    [chapters, readChapters],
    [media, download],
    [pictures, show],
  ] as const)
    for (const input of inputs.filter(isWanted)) await measure(input, meet, ++number)
  const operations = everything.filter(({ name }) => isWanted({ name: `everything: ${name}` }))
  if (operations.length > 0) {
    const library = join(folder, 'library')
    await plantEverything(library)
    console.log(
      '\n| everything of 50,000 | outcome | seconds | MiB at most | longest block, ms of CPU | timeline, ms | /healthz, ms |',
    )
    console.log('| --- | --- | --- | --- | --- | --- | --- |')
    for (const operation of operations) await measureAll(operation, library, ++number)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (longest > MAX_PAUSE_MS) {
  console.error(`/healthz waited ${Math.round(longest)} ms; ${MAX_PAUSE_MS} are the most`)
  process.exit(1)
}
