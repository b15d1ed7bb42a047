import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import type { Server } from 'bun'
import { SetupChoices, type SetupView } from '../../../shared/api/setup'
import { BODY_BYTES, RANGE_TEXT } from '../../../shared/connection-check'
import { type Config, ConfigurationMistakes, type Environment } from '../../config'
import { DataFolderError, findObstacle } from '../../data-folder'
import { lockDataFolder } from '../../platform/instance-lock'
import { describeError, type Log } from '../../platform/log'
import { noSuchPath, Problem } from '../../platform/problem'
import { ciphers, randomBytes } from '../../platform/secret'
import { finishSetup, givenIn } from '../../setup'
import { StartFault } from '../../start-faults'
import { commonHeaders } from '../core/answers'
import { serveAsset, serveSetupPage } from '../core/interface'
import { respond } from '../core/problems'
import { isTrusted, peerOf, serverUrlOf } from '../core/links'

type Needs = { values: Environment; config: Config; log: Log; uiFolder: string }

/** The longest body of a request with answers, in characters. */
const MAX_ANSWERS = 20_000
/** Wrong codes that are logged; a flood must not fill the disk. */
const MAX_LOGGED = 100

/**
 * Serves the setup on the address of the server until it is finished. Nothing else is served, and only people who know
 * the code in the log may answer: otherwise a server that others can reach would belong to the first stranger.
 */
export async function serveSetup(needs: Needs, notify: (code: string, port: number) => void): Promise<void> {
  const { config } = needs
  const obstacle = findObstacle(config.dataFolder, config)
  if (obstacle !== null) throw new DataFolderError(obstacle)
  const unlock = lockDataFolder(join(config.dataFolder, 'castellan.lock'))
  const code = makeCode()
  const { promise, resolve } = Promise.withResolvers<void>()
  const answer = createAnswers(needs, code, resolve)
  try {
    const server = listen(config, answer)
    notify(code, server.port!)
    await promise
    // Sockets stay open as long as their owners like; the last response must leave.
    for (let left = 100; server.pendingRequests > 0 && left > 0; left--) await Bun.sleep(10)
    await server.stop(true)
  } finally {
    unlock()
  }
}

/** Serves the checks of a connection alone, for the setup in a terminal. Throws if the port is in use. */
export function serveCheck(needs: Needs) {
  const code = makeCode()
  const server = listen(needs.config, createAnswers(needs, code, null))
  return {
    /** The server's address as a request to `base` sees it; rejects if `base` leads elsewhere. */
    async view(base: string, send: (url: string, options: RequestInit) => Promise<Response>): Promise<string> {
      const response = await send(`${base}api/v1/setup/view`, { method: 'POST', body: JSON.stringify({ code }) })
      return ((await response.json()) as SetupView).serverUrl
    },
    stop: () => server.stop(true),
  }
}

const listen = ({ host, port, tls }: Config, answer: Answer) =>
  Bun.serve<undefined>({
    hostname: host,
    port,
    reusePort: false,
    maxRequestBodySize: BODY_BYTES * 1.5,
    ...(tls && { tls: { cert: Bun.file(tls.cert), key: Bun.file(tls.key) } }),
    fetch: answer,
    websocket: { maxPayloadLength: 64, message: (socket, text) => void socket.send(text) },
  })

type Answer = (request: Request, server: Server<undefined>) => Promise<Response | undefined>

/** `finish`: called once the setup is finished; null = nobody may finish it here. */
function createAnswers(needs: Needs, code: string, finish: (() => void) | null): Answer {
  const { config, log, uiFolder } = needs
  let wrongCodes = 0
  let isTaken = false

  async function readAnswers(request: Request, server: Server<undefined>): Promise<Record<string, unknown>> {
    const text = await request.text()
    const body = text.length > MAX_ANSWERS ? null : parse(text)
    if (body === null) throw new Problem('bad-request', 'The body is not a JSON object')
    if (typeof body['code'] === 'string' && isCode(body['code'], code)) return body
    if (++wrongCodes <= MAX_LOGGED) log.warn('Wrong setup code', { from: server.requestIP(request)?.address })
    throw new Problem('setup-code-wrong', 'This is not the setup code. The newest one is in the log of the server')
  }

  async function complete(body: Record<string, unknown>, finish: () => void): Promise<Response> {
    const choices = { ...(body['choices'] as object) }
    if (isTaken || !Value.Check(SetupChoices, choices))
      throw new Problem('bad-request', 'The setup is already being finished, or these choices are invalid')
    // Taken before the first wait: of two answers at once, the later would change the library of a running server.
    isTaken = true
    await finishSetup(needs.values, choices).catch(error => {
      isTaken = false
      if (error instanceof ConfigurationMistakes || error instanceof StartFault)
        throw new Problem('setup-refused', error.message, { detail: error.message })
      throw error
    })
    // The response leaves before the listener closes.
    queueMicrotask(finish)
    return Response.json({})
  }

  async function route(request: Request, server: Server<undefined>): Promise<Response | undefined> {
    // The URL includes the Host header, which may be anything.
    const url = URL.parse(request.url)
    if (!url) throw new Problem('bad-request', 'Invalid request URL')
    const { prefix, path } = splitPrefix(url.pathname)
    const seen = { ...config, prefix: config.prefix || prefix }
    if (path === '/ws') return server.upgrade(request, { data: undefined }) ? undefined : respond(noSuchPath())
    if (path === '/healthz') return new Response('ok')
    if (path === '/readyz') return Response.json({ ready: true })
    if (path === '/api/v1/sys/config') return Response.json(publicConfig(request, server, seen))
    if (path === '/api/v1/setup/range') return partOf(request)
    if (path === '/api/v1/setup/body') return new Response(String((await request.bytes()).byteLength))
    if (path === '/api/v1/setup/view') {
      await readAnswers(request, server)
      return Response.json(viewOf(needs, request, server, seen))
    }
    if (path === '/api/v1/setup' && finish) return complete(await readAnswers(request, server), finish)
    const [, asset] = /^\/ui\/assets\/([\w.-]+)$/.exec(path) ?? []
    if (asset !== undefined && request.method === 'GET') return serveAsset(uiFolder, request, asset)
    if (request.method === 'GET' && !/^\/api\/|\.\w+$/.test(path)) return page(uiFolder, path)
    throw noSuchPath()
  }

  return async (request, server) => {
    try {
      const response = await route(request, server)
      if (response) for (const [name, value] of Object.entries(commonHeaders)) response.headers.set(name, value)
      return response
    } catch (error) {
      if (error instanceof Problem) return respond(error)
      // Nobody waits for the response to a request whose body was not sent whole.
      if (!request.signal.aborted) log.error('Setup failed', { error: describeError(error) })
      return respond(new Problem('unexpected', 'Unexpected error'))
    }
  }
}

/** Splits a path into the prefix that a proxy left in it, and the path of the route. */
function splitPrefix(path: string): { prefix: string; path: string } {
  const inner = ['/ui/', '/api/v1/'].map(part => path.indexOf(part)).filter(at => at !== -1)
  const end = /\/(ui|ws|healthz|readyz|)$/.exec(path)
  const at = inner.length > 0 ? Math.min(...inner) : (end?.index ?? path.length)
  const prefix = path.slice(0, at)
  return isPrefix(prefix) ? { prefix, path: path.slice(at) } : { prefix: '', path }
}

const isPrefix = (text: string) => text === '' || /^[\w.~-]+(\/[\w.~-]+)*$/.test(text.slice(1))

/** Redirects to the page by relative addresses, which are right whatever a proxy does to the path. */
function page(uiFolder: string, path: string): Response {
  if (path === '/ui/') return serveSetupPage(uiFolder)
  const depth = path.startsWith('/ui/') ? path.split('/').length - 3 : 0
  // A path that ends in a slash may be that of a proxy; anything else is a page, such as `/login`.
  const Location = depth > 0 ? '../'.repeat(depth) : path === '/' ? './ui/' : 'ui/'
  return new Response(null, { status: 302, headers: { Location } })
}

/** The public configuration of a server that has none yet. */
function publicConfig(request: Request, server: Server<undefined>, config: Config) {
  const base = serverUrlOf(request, peerOf(request, server), config)
  return {
    setup: true,
    basicAuth: false,
    oidcConfigured: false,
    oidcConfig: null,
    reverseProxy: false,
    serverUrl: base,
    wsUrl: `${base.replace(/^http/, 'ws')}ws`,
    rssFeed: `${base}rss`,
    podindexConfigured: false,
    podcastSync: false,
    appSignIn: false,
    publicClips: false,
    mopidyIntegrationEnabled: false,
    transcriptionEnabled: false,
  }
}

/** Variables that the page doesn't ask for once the environment sets them. */
const setByOthers = [
  'USERNAME',
  'SERVER_URL',
  'TRUSTED_PROXIES',
  'PODCAST_DIRECTORY',
  'MEDIA_STORAGE',
  'S3_ENDPOINT',
  'S3_URL',
  'S3_BUCKET',
  'S3_REGION',
  'S3_ACCESS_KEY',
  'S3_SECRET_KEY',
  'S3_PREFIX',
]

function viewOf({ values, config }: Needs, request: Request, server: Server<undefined>, seen: Config): SetupView {
  const peer = peerOf(request, server)
  const isForwarded = ['host', 'proto', 'for', 'prefix'].some(name => request.headers.has(`x-forwarded-${name}`))
  return {
    serverUrl: serverUrlOf(request, peer, seen),
    trustedUrl: serverUrlOf(request, () => null, seen),
    prefix: seen.prefix,
    untrustedProxy: isForwarded && !isTrusted(peer, config) ? peer() : null,
    username: config.username,
    mediaFolder: config.podcastFolder,
    given: givenIn(values, setByOthers),
  }
}

/** A text of ten bytes, or the part of it that is requested. */
function partOf(request: Request): Response {
  const [, from, to] = /^bytes=(\d)-(\d)$/.exec(request.headers.get('range') ?? '') ?? []
  if (from === undefined || to === undefined) return new Response(RANGE_TEXT)
  const headers = { 'Content-Range': `bytes ${from}-${to}/${RANGE_TEXT.length}`, 'Cache-Control': 'no-store' }
  return new Response(RANGE_TEXT.slice(Number(from), Number(to) + 1), { status: 206, headers })
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Letters and digits without those that look alike in a log, such as 0 and O. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const GROUPS = 3
const GROUP_LENGTH = 4

/** Draws a code of 59 bits, which nobody guesses over a network: `K7MQ-2XPA-RT4W`. */
function makeCode(): string {
  const letters: string[] = []
  // Bytes above the last whole multiple would make the first letters likelier.
  while (letters.length < GROUPS * GROUP_LENGTH)
    for (const byte of randomBytes(16)) if (byte < 248) letters.push(ALPHABET[byte % ALPHABET.length]!)
  return Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  ).join('-')
}

const bare = (code: string) => code.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** Compares a typed code, whose case and hyphens don't matter, in constant time. */
function isCode(typed: string, code: string): boolean {
  const digest = (text: string) => new Bun.CryptoHasher('sha256').update(bare(text)).digest()
  return ciphers().timingSafeEqual(digest(typed), digest(code))
}
