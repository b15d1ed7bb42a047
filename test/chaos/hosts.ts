import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { noise, rss } from '../support/builders'
import { paintCover } from '../../src/server/demo/feeds'

const CHUNK = 64 * 1024
const DAY = 86_400_000
/** Bytes of an enclosure that is called long. */
const LONG = 24_000_000
export const SHOWN = 25

type Feed = { name: string; home: string; shown: number; episodes: { date: number; edition: number }[] }
export type Hosts = Awaited<ReturnType<typeof startHosts>>

/**
 * Podcasts on so many origins: feeds that change when they are told to, with validators, and media whose every byte
 * follows from their address, sent at a pace, with Range.
 */
export async function startHosts(origins: number, sizeOf = (hash: number) => 150_000 + (hash % 850_000)) {
  const feeds = new Map<string, Feed>()
  const digests = new Map<string, string>()
  const cover = paintCover(1, [200, 120, 60], [30, 40, 90])
  let pauseMs = 0

  const seedOf = (path: string) => Bun.hash.crc32(path)
  const remembered = new Map<string, Uint8Array>()
  function bytesOf(path: string): Uint8Array {
    const bytes =
      remembered.get(path) ?? noise(path.includes('/Long/') ? LONG : sizeOf(seedOf(path)), seedOf(path) || 1)
    if (remembered.size > 50) remembered.clear()
    remembered.set(path, bytes)
    return bytes
  }

  function bodyOf({ name, home, episodes, shown }: Feed): string {
    return rss({
      title: name,
      image: `${home}/cover/${name}.png`,
      items: episodes
        .map(({ date, edition }, number) => ({
          guid: `${name}-${number}`,
          title: `${name}, part ${number}`,
          enclosure: `${home}${mediaPath(name, number)}`,
          date: new Date(date).toUTCString(),
          duration: '3600',
          notes: `<p>Fog over the harbour, part ${number}, edition ${edition}</p>`,
        }))
        .slice(-shown)
        .reverse(),
    })
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    // Connections that are kept for later would look as if they were forgotten.
    response.shouldKeepAlive = false
    const { pathname } = new URL(request.url!, 'http://localhost')
    const feed = feeds.get(pathname)
    if (feed) {
      const body = bodyOf(feed)
      const etag = `"${Bun.hash(body).toString(36)}"`
      const isKnown = request.headers['if-none-match'] === etag
      response.writeHead(isKnown ? 304 : 200, { ETag: etag, 'Content-Type': 'application/rss+xml' })
      return response.end(isKnown ? undefined : body)
    }
    if (pathname.startsWith('/cover/')) return response.writeHead(200, { 'Content-Type': 'image/png' }).end(cover)
    if (!pathname.startsWith('/media/')) return response.writeHead(404).end()
    return send(request, response, bytesOf(pathname))
  }

  async function send(request: IncomingMessage, response: ServerResponse, bytes: Uint8Array) {
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const from = Number(first ?? 0)
    const to = last ? Math.min(Number(last), bytes.byteLength - 1) : bytes.byteLength - 1
    if (from >= bytes.byteLength)
      return response.writeHead(416, { 'Content-Range': `bytes */${bytes.byteLength}` }).end()
    response.writeHead(first === undefined ? 200 : 206, {
      'Content-Type': 'audio/mpeg',
      'Content-Length': to - from + 1,
      'Accept-Ranges': 'bytes',
      ETag: `"${bytes.byteLength}"`,
      ...(first !== undefined && { 'Content-Range': `bytes ${from}-${to}/${bytes.byteLength}` }),
    })
    for (let at = from; at <= to && !response.destroyed; at += CHUNK) {
      response.write(bytes.subarray(at, Math.min(at + CHUNK, to + 1)))
      if (pauseMs > 0) await Bun.sleep(pauseMs)
    }
    return response.end()
  }

  const servers = Array.from({ length: origins }, () =>
    createServer((request, response) => void answer(request, response)),
  )
  const homes = await Promise.all(
    servers.map(server => {
      const { promise, resolve } = Promise.withResolvers<string>()
      server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
      return promise
    }),
  )

  /** The address of a new feed with so many episodes, one every so often, of which it shows the newest. */
  function add(name: string, count: number, everyMs = DAY, shown = SHOWN): string {
    const home = homes[feeds.size % homes.length]!
    const episodes = Array.from({ length: count }, (_, number) => ({
      date: Date.now() - (count - number) * everyMs,
      edition: 0,
    }))
    feeds.set(`/${name}.xml`, { name, home, shown, episodes })
    return `${home}/${name}.xml`
  }
  const feedAt = (address: string) => feeds.get(new URL(address).pathname)!

  return {
    add,
    /** Publishes another episode. */
    publish: (address: string) => void feedAt(address).episodes.push({ date: Date.now(), edition: 0 }),
    /** The notes of so many of the newest episodes are others. */
    edit(address: string, count: number) {
      for (const episode of feedAt(address).episodes.slice(-count)) episode.edition++
    },
    enclosuresOf(address: string) {
      const { name, home, episodes } = feedAt(address)
      return episodes.map((_, number) => `${home}${mediaPath(name, number)}`)
    },
    /** The bytes that a listener must receive. */
    bytesOf: (enclosure: string) => bytesOf(new URL(enclosure).pathname),
    digestOf(enclosure: string) {
      const digest = digests.get(enclosure) ?? sha(bytesOf(new URL(enclosure).pathname))
      digests.set(enclosure, digest)
      return digest
    },
    /** Between 64 KB and the next. */
    pace: (ms: number) => void (pauseMs = ms),
    [Symbol.dispose]() {
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

const mediaPath = (name: string, number: number) => `/media/${name}/${number}.mp3`

export const sha = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
