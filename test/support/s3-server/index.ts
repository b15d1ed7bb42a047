import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { authorise } from './authorise'
import type { Answer } from './exchange'
import { createFaults, type Fault, type FaultOptions, type SeenRequest } from './faults'
import { isMet } from './meet'
import { readRequest, type Parsed } from './parse'
import { createInspection } from './inspection'
import { Refusal } from './answers'
import { answerOf } from './routes'
import { send } from './send'
import { createShelf } from './shelf'

export type { Fault, SeenRequest } from './faults'
export type S3Server = Awaited<ReturnType<typeof startS3Server>>

export type S3ServerOptions = {
  bucket?: string
  region?: string
  accessKey?: string
  secretKey?: string
  /** The least a part may have that is not the last. */
  minPartBytes?: number
  now?: () => number
  port?: number
}

function refusalOf(error: unknown): Answer {
  if (!(error instanceof Refusal)) throw error
  return { status: error.status, headers: { 'Content-Type': 'application/xml' }, body: error.body }
}

/**
 * A strict S3 server with one private bucket on a loopback port: every request has to be signed. Its objects are files
 * of a temporary folder. It fails as it is told to. `Bun.serve` would leave out the length of a body that it streams.
 */
export async function startS3Server(options: S3ServerOptions = {}) {
  const { now = Date.now, minPartBytes = 5 * 1024 ** 2 } = options
  const settings = {
    bucket: options.bucket ?? 'podcasts',
    region: options.region ?? 'eu-test-1',
    accessKey: options.accessKey ?? 'test-access',
    secretKey: options.secretKey ?? 'test-secret',
    hasBucket: true,
  }
  const shelf = createShelf(now)
  const faults = createFaults()
  const requests: SeenRequest[] = []

  async function answer(parsed: Parsed, seen: SeenRequest, request: IncomingMessage, fault?: Fault): Promise<Answer> {
    const payload = authorise(parsed, settings, now())
    if (parsed.bucket === '') throw new Refusal(403, 'AccessDenied', 'Access Denied')
    if (parsed.bucket !== settings.bucket || !settings.hasBucket)
      throw new Refusal(404, 'NoSuchBucket', 'The specified bucket does not exist', { BucketName: parsed.bucket })
    const received = (bytes: number) => void (seen.bytesReceived += bytes)
    const { method, key, headers } = parsed
    const exchange = { method, key, headers, query: seen.query, payload, request, fault, received }
    return answerOf(exchange, { bucket: settings.bucket, shelf, minPartBytes })
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const { parsed, seen } = readRequest(request)
    requests.push(seen)
    const fault = faults.meet(seen)
    if (fault && (await isMet(fault, request, response, seen))) return
    const found = await answer(parsed, seen, request, fault).catch(refusalOf)
    request.resume()
    if (fault?.kind === 'cut' && fault.when === 'after') return void request.socket.destroy()
    await send(response, found, seen, fault)
  }

  let server: Server | null = null
  async function listen(port: number) {
    server = createServer((request, response) => {
      // A reader that hung up while its request was being answered is no failure of the server.
      respond(request, response).catch(() => request.socket?.destroy())
    })
    server.requestTimeout = 0
    server.keepAliveTimeout = 60_000
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
    await promise
    return (server.address() as AddressInfo).port
  }
  function goAway() {
    server?.closeAllConnections()
    server?.close()
    server = null
  }
  const port = await listen(options.port ?? 0)
  const endpoint = `http://127.0.0.1:${port}`

  return {
    endpoint,
    port,
    /** May be changed: a key that is withdrawn, a bucket that is gone. */
    settings,
    requests,
    /** Forgets the requests so far. */
    forgetRequests: () => void requests.splice(0),
    ...createInspection(shelf),
    /** Fails from now on, or `times` times; the answer switches it off and counts how many requests met it. */
    fail: (fault: Fault, options?: FaultOptions) => faults.plan(fault, options),
    clearFaults: faults.clear,
    /** Closes the port and every connection. */
    goAway,
    /** Opens the same port again. */
    comeBack: async () => void (server ?? (await listen(port))),
    [Symbol.dispose]: () => {
      goAway()
      shelf[Symbol.dispose]()
    },
  }
}
