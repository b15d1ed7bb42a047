import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { latencies, peakMb, startUpMs } from '../process'
import { residentMb } from '../../../test/support/measure'
import { rss } from '../../../test/support/builders'
import { feeds } from './feeds'
import type { WorstInput } from './input'
import { media } from './media'
import { opmls } from './opml'
import { pictures } from './pictures'

// Measures the built executable with the worst inputs known: its peak memory, and the longest that a request of
// /healthz waited meanwhile. Each input meets a fresh server. Exits with 1 after a pause that nobody should meet. `bun run worst [words of a name]`.

const castellan = join(import.meta.dir, '../../../dist/castellan')
/** Far above what a quiet machine shows: this is for a rented one that does other things too. */
const MOST_PAUSE_MS = 1000
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

/** A feed with one episode, which has this file as its enclosure or its cover. */
async function subscribeTo({ origin }: Started, { enclosure, image }: { enclosure?: string; image?: string }) {
  const items = enclosure ? [{ title: 'Worst', enclosure }] : []
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

console.log('| input | MB sent | outcome | seconds | MiB at rest | MiB at most | longest pause of /healthz, ms |')
console.log('| --- | --- | --- | --- | --- | --- | --- |')
let number = 0
let longest = 0
try {
  for (const [inputs, meet] of [
    [feeds, subscribe],
    [opmls, preview],
    [media, download],
    [pictures, show],
  ] as const)
    for (const input of inputs) if (input.name.toLowerCase().includes(wanted)) await measure(input, meet, ++number)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (longest > MOST_PAUSE_MS) {
  console.error(`/healthz waited ${Math.round(longest)} ms; ${MOST_PAUSE_MS} are the most`)
  process.exit(1)
}
