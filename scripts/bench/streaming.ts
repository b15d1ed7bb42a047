import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rss } from '../../test/support/builders'
import { startFeedHost } from '../../test/support/feed-host'
import { cpuSeconds, startUpMs } from './process'
import { RANGES, readRanges, readWhole } from './reads'
import { median } from '../../test/support/measure'

type Report = (name: string, value: string, wanted?: string) => void

const ROUNDS = 9

type Rival = { name: string; address: string; pid: number; wanted: [string, string, string]; stop: () => Promise<void> }
type Figures = { whole: number[]; ranges: number[]; cpuMs: number[] }

/** A file of 200 MB, whole and in ranges of 64 KB: from us, from a bare server, and from nginx where it is, in turn. */
export async function measureStreaming(
  folder: string,
  castellan: string,
  env: Record<string, string>,
  bytes: Uint8Array,
  report: Report,
) {
  const path = join(folder, 'files/large.mp3')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
  const rivals = [await startOurs(castellan, env, bytes), await startBare(path), await startNginx(folder)]
  const present = rivals.filter(rival => rival !== null)
  const figures = present.map((): Figures => ({ whole: [], ranges: [], cpuMs: [] }))
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, { address }] of present.entries())
      figures[index]!.whole.push(await readWhole(address, bytes.byteLength))
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, { address, pid }] of present.entries()) {
      const cpu = cpuSeconds(pid)
      figures[index]!.ranges.push(await readRanges(address, bytes.byteLength))
      figures[index]!.cpuMs.push((1000 * (cpuSeconds(pid) - cpu)) / RANGES)
    }
  reportAll(present, figures, report)
  if (present.length < rivals.length) console.log('nginx is not installed here: no ratio')
  for (const { stop } of present) await stop()
}

function reportAll(rivals: readonly Rival[], figures: readonly Figures[], report: Report) {
  const kinds: [keyof Figures, string, string, number][] = [
    ['whole', 'streaming 200 MB', 'MB/s', 0],
    ['ranges', 'ranges of 64 KB, 8 connections', 'MB/s', 0],
    ['cpuMs', '  CPU of a range', 'ms', 3],
  ]
  for (const [place, [kind, title, unit, digits]] of kinds.entries()) {
    const [ours, ...others] = figures.map(figure => median(figure[kind]))
    report(title, `${ours!.toFixed(digits)} ${unit}`)
    for (const [index, theirs] of others.entries()) {
      const { name, wanted } = rivals[index + 1]!
      report(`  ${name}`, `${theirs.toFixed(digits)} ${unit}`)
      report('  ratio', `${(ours! / theirs).toFixed(2)} ×`, wanted[place])
    }
  }
}

async function startOurs(castellan: string, env: Record<string, string>, bytes: Uint8Array): Promise<Rival> {
  using host = startFeedHost()
  const enclosure = host.file('/large.mp3', bytes)
  const feed = host.feed('/feed.xml', rss({ title: 'Stream', items: [{ enclosure }] }))
  const server = await startUpMs([castellan], env, '/healthz')
  await fetch(`${server.origin}/api/v1/podcasts/feed`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ rssFeedUrl: feed }),
  })
  return { ...server, name: 'Castellan', address: await downloaded(server.origin), wanted: ['', '', ''] }
}

async function startBare(path: string): Promise<Rival> {
  const server = await startUpMs([process.execPath, join(import.meta.dir, 'bare.ts')], { MEDIA_FILE: path }, '/')
  return { ...server, name: 'bare server', address: `${server.origin}/`, wanted: ['≥ 0.9 ×', '≥ 0.9 ×', '≤ 1.1 ×'] }
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
async function startNginx(folder: string): Promise<Rival | null> {
  if (!Bun.which('nginx')) return null
  const base = join(folder, 'nginx')
  mkdirSync(base, { recursive: true })
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  writeFileSync(
    join(base, 'nginx.conf'),
    `daemon off; master_process off; pid ${base}/pid; error_log ${base}/error.log; ${process.getuid?.() === 0 ? 'user root;' : ''}
     events { worker_connections 512; }
     http { access_log off; sendfile on; tcp_nopush off; tcp_nodelay on; types { audio/mpeg mp3; }
       client_body_temp_path ${base}; proxy_temp_path ${base}; fastcgi_temp_path ${base}; uwsgi_temp_path ${base}; scgi_temp_path ${base};
       server { listen 127.0.0.1:${port}; root ${folder}/files; keepalive_requests 100000; } }`,
  )
  const child = Bun.spawn(['nginx', '-c', join(base, 'nginx.conf'), '-p', base], { stderr: 'ignore' })
  const address = `http://127.0.0.1:${port}/large.mp3`
  while (Bun.spawnSync(['curl', '-sfI', '-o', '/dev/null', address]).exitCode !== 0) await Bun.sleep(20)
  return {
    name: 'nginx',
    address,
    pid: child.pid,
    wanted: ['≥ 0.8 ×', '≥ 0.8 ×', ''],
    stop: async () => {
      child.kill()
      await child.exited
    },
  }
}
