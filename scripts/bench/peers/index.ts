import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withHosts } from '../hosts'
import { readOptions } from '../options'
import { startUpMs } from '../process'
import { RANGES } from '../reads'
import { startSamples, tableOf } from '../samples'
import { feedsOf } from '../versions/plant'
import { audiobookshelf } from './audiobookshelf'
import { comparePeer } from './compare'
import { miniflux } from './miniflux'
import type { Peer, Place } from './peer'
import { podfetch } from './podfetch'

const usage =
  'No peer is given: say where one listens, as in `bun run bench peers ' +
  'podfetch=http://user:password@127.0.0.1:8000`, see docs/internals/performance.md.'

const titles = { podfetch: 'PodFetch', audiobookshelf: 'Audiobookshelf', miniflux: 'miniflux' } as const
type Name = keyof typeof titles
const privateNetworks = '127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16'

/**
 * Does the same with Castellan and with each peer that is given, and prints a table for each: `bun run bench peers`.
 */
export async function comparePeers(build: () => string, args: readonly string[]) {
  const options = readOptions(args)
  const valueOf = (name: string) => options.named.get(name) ?? process.env[name.toUpperCase().replace('.', '_')]
  const peers = (Object.keys(titles) as Name[]).flatMap(name => {
    const address = valueOf(name)
    return address ? [peerAt(name, address, valueOf(`${name}.token`), valueOf(`${name}.pid`))] : []
  })
  if (peers.length === 0) return console.log(usage)
  const executable = options.named.get('castellan') ?? build()
  const [feeds, episodes] = [options.count('feeds', 100), options.count('episodes', 200)]
  for (const theirs of peers)
    await withHosts(
      async origins => {
        await using castellan = await startCastellan(executable)
        const samples = startSamples<string>('Castellan', theirs.name)
        const pair = {
          ours: castellan.peer,
          theirs,
          samples,
          turns: options.count('turns', 5),
          loadMs: options.count('ms', 600),
          ranges: options.count('ranges', RANGES),
        }
        const run = Date.now().toString(36)
        const work = {
          feeds: feedsOf(origins, feeds, episodes, `run${run}x`),
          episodes,
          host: origins[0]!,
          media: `${origins[0]}/media/media${run}`,
          minutes: options.count('minutes', 30),
        }
        await prepare(work.feeds)
        try {
          await comparePeer(pair, work)
        } catch (error) {
          samples.miss('everything', error instanceof Error ? error.message : String(error))
        }
        console.log(tableOf([{ titles: ['Castellan', theirs.name, `${theirs.name} : Castellan`], samples }]))
      },
      options.named.get('host') ?? process.env.BENCH_HOST,
    )
}

function peerAt(name: Name, address: string, token?: string, pids?: string): Peer {
  const url = new URL(address)
  const user = url.username
    ? { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
    : null
  const basic = user && `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`
  const place: Place = {
    name: titles[name],
    origin: url.origin,
    credentials: token ? tokenHeader(name, token) : basic === null ? null : ['Authorization', basic],
    pids: pids?.split(',').map(Number) ?? [],
  }
  if (name === 'podfetch') return podfetch(place)
  return name === 'miniflux' ? miniflux(place) : audiobookshelf({ ...place, user: token ? null : user })
}

const tokenHeader = (name: Name, token: string) =>
  name === 'miniflux' ? (['X-Auth-Token', token] as const) : (['Authorization', `Bearer ${token}`] as const)

/** Each feed once, so that the making of it is not measured. */
async function prepare(feeds: readonly string[]) {
  for (const feed of feeds) await (await fetch(feed)).arrayBuffer()
}

/** Ours, on an empty library. */
async function startCastellan(executable: string) {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-peers-'))
  const env = { DATA_DIRECTORY: folder, PORT: '0', DISK_RESERVE: '0', LOG_FORMAT: 'text', BACKUP_INTERVAL: '0' }
  const server = await startUpMs([executable], { ...env, ALLOWED_NETWORKS: privateNetworks }, '/healthz')
  const place = { name: 'Castellan', origin: server.origin, credentials: null, pids: [server.pid] }
  return {
    peer: podfetch(place),
    async [Symbol.asyncDispose]() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
