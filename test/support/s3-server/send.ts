import { createReadStream } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { Answer } from './exchange'
import type { Fault, SeenRequest } from './faults'

const ENDLESS = Buffer.from('<Contents><Key>again</Key></Contents>'.repeat(500))

/** Sends an answer, spoiled as `fault` says. */
export async function send(response: ServerResponse, answer: Answer, seen: SeenRequest, fault: Fault | undefined) {
  const { status, headers = {}, body, file } = answer
  seen.status = status
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const length = headers['Content-Length'] ?? String(bytes?.byteLength ?? 0)
  response.writeHead(status, { ...headers, ...(status !== 204 && status !== 304 && { 'Content-Length': length }) })
  const hasBody = seen.method !== 'HEAD' && status !== 204 && status !== 304
  if (hasBody) await sendBody(response, bytesOf(bytes, file), seen, fault)
  response.end()
}

async function* bytesOf(bytes: Buffer | undefined, file: Answer['file']): AsyncIterable<Buffer> {
  if (bytes?.byteLength) yield bytes
  if (file && file.to > file.from)
    yield* createReadStream(file.stored.file, { start: file.from, end: file.to - 1, highWaterMark: 256 * 1024 })
}

async function sendBody(
  response: ServerResponse,
  source: AsyncIterable<Buffer>,
  seen: SeenRequest,
  fault: Fault | undefined,
) {
  const isWrong = fault?.kind === 'send-wrong'
  for await (const chunk of source) {
    if (isWrong && seen.bytesSent === 0) chunk[0] = chunk[0]! ^ 0xff
    const pieces = fault?.kind === 'trickle' ? piecesOf(chunk, fault.bytes) : [chunk]
    for (const piece of pieces) {
      if (fault?.kind === 'cut-answer' && seen.bytesSent + piece.byteLength > fault.afterBytes)
        return cutAfter(response, piece.subarray(0, fault.afterBytes - seen.bytesSent), seen)
      await write(response, piece, seen)
      if (fault?.kind === 'trickle') await Bun.sleep(fault.everyMs)
      if (response.destroyed) return
    }
  }
}

function* piecesOf(chunk: Buffer, bytes: number) {
  for (let at = 0; at < chunk.byteLength; at += bytes) yield chunk.subarray(at, at + bytes)
}

async function cutAfter(response: ServerResponse, last: Buffer, seen: SeenRequest) {
  const { promise, resolve } = Promise.withResolvers<void>()
  response.write(last, () => resolve())
  await Promise.race([promise, untilEither(response, 'close')])
  seen.bytesSent += last.byteLength
  response.socket?.destroy()
}

async function write(response: ServerResponse, piece: Buffer, seen: SeenRequest) {
  seen.bytesSent += piece.byteLength
  if (response.write(piece)) return
  await untilEither(response, 'drain', 'close')
}

async function untilEither(response: ServerResponse, ...names: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => resolve()
  for (const name of names) response.once(name, done)
  await promise
  for (const name of names) response.off(name, done)
}

/** Sends XML that never ends, until the reader has enough. */
export async function sendEndless(response: ServerResponse, status: number, seen: SeenRequest) {
  seen.status = status
  response.writeHead(status, { 'Content-Type': 'application/xml' })
  response.write('<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>')
  while (!response.destroyed) {
    await write(response, ENDLESS, seen)
    await Bun.sleep(0)
  }
}
