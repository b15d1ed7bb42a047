import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rss } from '../../test/support/builders'
import { startFeedHost } from '../../test/support/feed-host'
import { startUpMs } from './process'
import { readRanges, readWhole } from './reads'
import { median } from '../../test/support/measure'

type Report = (name: string, value: string, wanted?: string) => void

/** A file of 200 MB, whole and in ranges of 64 KB, from us and from nginx in turn; without nginx only from us. */
export async function measureStreaming(
  folder: string,
  castellan: string,
  env: Record<string, string>,
  bytes: Uint8Array,
  report: Report,
) {
  using host = startFeedHost()
  const enclosure = host.file('/large.mp3', bytes)
  const feed = host.feed('/feed.xml', rss({ title: 'Stream', items: [{ enclosure }] }))
  const server = await startUpMs([castellan], env, '/healthz')
  await fetch(`${server.origin}/api/v1/podcasts/feed`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ rssFeedUrl: feed }),
  })
  const ours = await downloaded(server.origin)
  const nginx = await startNginx(folder, bytes)
  const rounds = {
    ours: { whole: [] as number[], ranges: [] as number[] },
    theirs: { whole: [] as number[], ranges: [] as number[] },
  }
  for (let round = 0; round < 5; round++) {
    rounds.ours.whole.push(await readWhole(ours, bytes.byteLength))
    if (nginx) rounds.theirs.whole.push(await readWhole(nginx.address, bytes.byteLength))
    rounds.ours.ranges.push(await readRanges(ours, bytes.byteLength))
    if (nginx) rounds.theirs.ranges.push(await readRanges(nginx.address, bytes.byteLength))
  }
  report('streaming 200 MB', `${median(rounds.ours.whole).toFixed(0)} MB/s`)
  if (nginx) {
    report('  nginx', `${median(rounds.theirs.whole).toFixed(0)} MB/s`)
    report('  ratio', `${(median(rounds.ours.whole) / median(rounds.theirs.whole)).toFixed(2)} ×`, '≥ 0.8 ×')
  }
  report('streaming ranges of 64 KB, 8 connections', `${median(rounds.ours.ranges).toFixed(0)} MB/s`)
  if (nginx) {
    report('  nginx', `${median(rounds.theirs.ranges).toFixed(0)} MB/s`)
    report('  ratio', `${(median(rounds.ours.ranges) / median(rounds.theirs.ranges)).toFixed(2)} ×`, '≥ 0.8 ×')
    await nginx.stop()
  } else console.log('nginx is not installed here: no ratio')
  await server.stop()
}

async function downloaded(origin: string): Promise<string> {
  for (;;) {
    const { data } = (await (await fetch(`${origin}/api/v1/podcasts/timeline`)).json()) as {
      data: { podcast_episode: { status: boolean; local_url: string } }[]
    }
    if (data[0]?.podcast_episode.status) return data[0].podcast_episode.local_url
    await Bun.sleep(50)
  }
}

/** nginx on a port of its own, with sendfile, serving the same bytes; null where it is not installed. */
async function startNginx(folder: string, bytes: Uint8Array) {
  if (!Bun.which('nginx')) return null
  const base = join(folder, 'nginx')
  mkdirSync(join(base, 'files'), { recursive: true })
  writeFileSync(join(base, 'files/large.mp3'), bytes)
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  writeFileSync(
    join(base, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${base}/pid; error_log ${base}/error.log; ${process.getuid?.() === 0 ? 'user root;' : ''}
     events { worker_connections 512; }
     http { access_log off; sendfile on; tcp_nopush off; tcp_nodelay on; types { audio/mpeg mp3; }
       client_body_temp_path ${base}; proxy_temp_path ${base}; fastcgi_temp_path ${base}; uwsgi_temp_path ${base}; scgi_temp_path ${base};
       server { listen 127.0.0.1:${port}; root ${base}/files; keepalive_requests 100000; } }`,
  )
  const child = Bun.spawn(['nginx', '-c', join(base, 'nginx.conf'), '-p', base], { stderr: 'ignore' })
  const address = `http://127.0.0.1:${port}/large.mp3`
  while (Bun.spawnSync(['curl', '-sfI', '-o', '/dev/null', address]).exitCode !== 0) await Bun.sleep(20)
  return {
    address,
    stop: async () => {
      child.kill()
      await child.exited
    },
  }
}
