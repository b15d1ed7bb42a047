import { openSync, closeSync, writeSync } from 'node:fs'
import { noise, rss, silentMp3 } from '../../../test/support/builders'
import { until } from '../../../test/support/programs'

export type Report = (name: string, value: string, wanted?: string) => void

const CHUNK = noise(4 * 1024 * 1024, 4)

/** Writes a recording of a size in megabytes. */
export function writeRecording(path: string, megabytes: number): number {
  const file = openSync(path, 'w')
  let bytes = writeSync(file, silentMp3(1))
  for (; bytes < megabytes * 1e6; bytes += CHUNK.byteLength) writeSync(file, CHUNK)
  closeSync(file)
  return bytes
}

/** Hosts with one recording each, so that politeness towards one is not what is measured, and a feed of all. */
export function startRecordingHosts(path: string, count: number) {
  const hosts = Array.from({ length: count }, () =>
    Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 0,
      fetch: () => new Response(Bun.file(path), { headers: { 'Content-Type': 'audio/mpeg' } }),
    }),
  )
  const items = hosts.map(({ port }, number) => ({
    guid: `recording-${number}`,
    title: `Recording ${number}`,
    enclosure: `http://127.0.0.1:${port}/${number}.mp3`,
  }))
  const feed = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(rss({ title: 'Stored', items })) })
  return {
    feed: `http://127.0.0.1:${feed.port}/feed.xml`,
    stop: () => Promise.all([...hosts, feed].map(server => server.stop(true))),
  }
}

type Timeline = { data: { podcast_episode: { status: boolean; local_url: string } }[] }

/** Subscribes, which downloads all, and returns their addresses once they are there. */
export async function download(origin: string, feed: string): Promise<string[]> {
  const post = (path: string, method: string, body: unknown) =>
    fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  await post('/settings', 'PUT', { podcastPrefill: 10 })
  await post('/podcasts/feed', 'POST', { rssFeedUrl: feed })
  const read = async () => (await (await fetch(`${origin}/api/v1/podcasts/timeline`)).json()) as Timeline
  const isDone = async () => {
    const { data } = await read()
    return data.length > 0 && data.every(({ podcast_episode: { status } }) => status)
  }
  await until('the recordings are stored', isDone, { everyMs: 200, forMs: 30 * 60_000 })
  return (await read()).data.map(({ podcast_episode }) => podcast_episode.local_url)
}
