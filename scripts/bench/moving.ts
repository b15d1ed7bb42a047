import { Database } from 'bun:sqlite'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { silentMp3 } from '../../test/support/builders'
import { writePodfetch } from '../../test/support/foreign/podfetch'
import { percentile } from '../../test/support/measure'
import { callsOf, noPrefill } from './api'
import { withHosts } from './hosts'
import { readOptions } from './options'
import { cpuSeconds, latencies, peakMb, startUpMs } from './process'

/** Pause between two requests for the timeline: the move is to be measured, not they. */
const PAUSE_MS = 20
const SECONDS_OF_SOUND = 4
const MAX_AT_ONCE = 8

type Size = { podcasts: number; episodes: number; files: number }

const report = (name: string, value: string) => console.log(`${name.padEnd(56)}${value.padStart(20)}`)

/**
 * A PodFetch that is moved in while the server runs: all its podcasts, a position in each episode, and files by hard
 * link. Arguments: `podcasts=500 episodes=400 files=2000`.
 */
export async function measureMoving(castellan: string, args: readonly string[]) {
  const { count } = readOptions(args)
  const size = { podcasts: count('podcasts', 500), episodes: count('episodes', 400), files: count('files', 2000) }
  const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'))
  try {
    await withHosts(async origins => {
      const feeds = Array.from(
        { length: size.podcasts },
        (_, index) => `${origins[index % origins.length]}/natural/moved${index}/${size.episodes}`,
      )
      await makeFeeds(feeds)
      const source = writeSource(folder, feeds, size)
      await measure(castellan, folder, source, size)
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Has the hosts make all feeds, so that the making is not measured. */
async function makeFeeds(feeds: readonly string[]) {
  const waiting = [...feeds]
  const worker = async () => {
    for (let feed = waiting.pop(); feed; feed = waiting.pop()) await (await fetch(feed)).arrayBuffer()
  }
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, worker))
}

/** Writes the database and the files, spread over the podcasts. */
function writeSource(folder: string, feeds: readonly string[], { episodes, files }: Size) {
  const [database, media] = [join(folder, 'podcast.db'), join(folder, 'podcasts')]
  const sound = silentMp3(SECONDS_OF_SOUND)
  writePodfetch(database, 'http://nowhere.example', 'C')
  const db = new Database(database)
  for (const table of ['podcasts', 'podcast_episodes', 'episodes', 'favorites', 'favorite_podcast_episodes'])
    db.run(`DELETE FROM ${table}`)
  const user = db.query<{ id: string }, []>(`SELECT id FROM users WHERE username = 'user123'`).get()!.id
  const addPodcast = db.query('INSERT INTO podcasts (id, name, rssfeed) VALUES (?, ?, ?)')
  const addEpisode = db.query(
    `INSERT INTO podcast_episodes (id, podcast_id, episode_id, name, url, guid, date_of_recording, total_time,
       file_episode_path, download_location) VALUES (?1, ?2, ?1, ?3, ?4, ?5, ?6, 1800, ?7, iif(?7 IS NULL, NULL, 'Local'))`,
  )
  const addPosition = db.query(
    `INSERT INTO episodes (id, user_id, device, podcast, episode, timestamp, guid, action, started, position, total)
     VALUES (?, ?, 'webview', ?, ?, '2026-02-01 10:00:00', ?, 'play', 0, 600, 1800)`,
  )
  db.transaction(() => {
    for (const [place, feed] of feeds.entries()) {
      const name = `moved${place}`
      addPodcast.run(name, name, feed)
      for (let index = 0; index < episodes; index++) {
        const [id, address] = [`${name}-${index}`, `https://cdn.example/${name}/${index}.mp3`]
        const hasFile = index * feeds.length + place < files
        const path = hasFile ? `podcasts/${name}/${id}/podcast.mp3` : null
        const date = new Date(Date.UTC(2026, 0, 1) - index * 86_400_000).toISOString()
        addEpisode.run(id, name, `${name} part${episodes - index}`, address, id, date, path)
        addPosition.run(id, user, feed, address, id)
        if (path) writeUnder(folder, path, sound)
      }
    }
  })()
  db.close()
  return { database, media }
}

function writeUnder(folder: string, path: string, bytes: Uint8Array) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), bytes)
}

async function measure(
  castellan: string,
  folder: string,
  { database, media }: { database: string; media: string },
  { podcasts, episodes, files }: Size,
) {
  const env = { DATA_DIRECTORY: join(folder, 'data'), PORT: '0', DISK_RESERVE: '0', LOG_FORMAT: 'text' }
  const server = await startUpMs([castellan], env, '/healthz')
  const { origin, pid } = server
  await noPrefill(callsOf(origin))
  const cpu = cpuSeconds(pid)
  const began = performance.now()
  const command = [castellan, 'import', database, '--files-from', `podcasts=${media}`]
  const child = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'inherit' })
  const printed = new Response(child.stdout).text()
  const times = await latencies(() => fetch(`${origin}/api/v1/podcasts/timeline?limit=25`), child.exited, PAUSE_MS)
  const seconds = (performance.now() - began) / 1000
  const [p50, p99] = [percentile(times, 0.5).toFixed(1), percentile(times, 0.99).toFixed(1)]
  console.log((await printed).slice((await printed).lastIndexOf('podcast.db (')))
  report(`${podcasts} podcasts of ${episodes} episodes, ${files} files`, `${seconds.toFixed(1)} s`)
  report('  items each second', (((podcasts * episodes + files) / seconds) | 0).toLocaleString('en'))
  report('  CPU of the server', `${(cpuSeconds(pid) - cpu).toFixed(1)} s`)
  report('  peak memory of the server', `${peakMb(pid).toFixed(0)} MB`)
  report('  GET /podcasts/timeline meanwhile, p50, p99', `${p50}, ${p99} ms`)
  await server.stop()
  if (child.exitCode !== 0) throw new Error('the import did not come to its end')
}
