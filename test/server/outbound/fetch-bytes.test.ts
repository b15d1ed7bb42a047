import { expect, test } from 'bun:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { readConfig } from '../../../src/server/config'
import { readAvailable } from '../../../src/server/outbound/body'
import { createOutbound, fetchBytes } from '../../../src/server/outbound/request'
import { refusal } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'

const reach = { home: '127.0.0.1' }
const fetchFrom = (address: string, limits: { maxBytes?: number; idleMs?: number; totalMs?: number } = {}) =>
  fetchBytes(createOutbound(readConfig({})), address, { reach, maxBytes: 10, ...limits })

/** An endless body: one byte at once, then one after each pause. */
const drip = (pauseMs: number) =>
  new Response(
    new ReadableStream({
      start: controller => controller.enqueue(new Uint8Array(1)),
      async pull(controller) {
        await Bun.sleep(pauseMs)
        controller.enqueue(new Uint8Array(1))
      },
    }),
  )

test('a body within its bounds arrives whole', async () => {
  using host = startFeedHost()
  const address = host.on('/x', () => new Response('0123456789'))
  expect(Buffer.from(await fetchFrom(address)).toString()).toBe('0123456789')
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const)(
  'a body that the host compressed as %s though nobody asked is decoded, and bounded as it grows',
  async (encoding, pack) => {
    using host = startFeedHost()
    const headers = { 'Content-Encoding': encoding }
    const address = host.on('/x', () => new Response(pack('0123456789') as BodyInit, { headers }))
    expect(Buffer.from(await fetchFrom(address)).toString()).toBe('0123456789')
    const bomb = host.on('/bomb', () => new Response(pack(Buffer.alloc(5_000_000)) as BodyInit, { headers }))
    expect(await refusal(fetchFrom(bomb, { maxBytes: 1_000_000 }))).toMatchObject({ code: 'too-large' })
  },
)

test('plain media that a host calls Brotli arrives as it is', async () => {
  using host = startFeedHost()
  const address = host.on('/x', () => new Response('ID3\u0004 abc', { headers: { 'Content-Encoding': 'br' } }))
  expect(Buffer.from(await fetchFrom(address)).toString()).toBe('ID3\u0004 abc')
})

test('a body of one byte too many is refused', async () => {
  using host = startFeedHost()
  const address = host.on('/x', () => new Response('0123456789a'))
  expect(await refusal(fetchFrom(address))).toMatchObject({ code: 'too-large', host: '127.0.0.1' })
})

test.each([404, 503])('status %d is reported, whatever the body contains', async status => {
  using host = startFeedHost()
  const address = host.on('/x', () => new Response('x', { status }))
  expect(await refusal(fetchFrom(address))).toMatchObject({
    name: 'OutboundError',
    code: 'bad-status',
    status,
    message: `The host answered ${status}`,
  })
})

test('a body that pauses too long times out', async () => {
  using host = startFeedHost()
  const address = host.on('/x', () => drip(60_000))
  expect(await refusal(fetchFrom(address, { idleMs: 20 }))).toMatchObject({
    code: 'timeout',
    message: 'The host took too long to answer',
  })
})

test('a body that drips without an end times out', async () => {
  using host = startFeedHost()
  const address = host.on('/x', () => drip(1))
  expect(await refusal(fetchFrom(address, { maxBytes: 1e9, totalMs: 50 }))).toMatchObject({ code: 'timeout' })
})

test('everything received before a connection breaks is kept', async () => {
  const cut = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('half'))
    },
    pull: controller => controller.error(new Error('closed')),
  })
  const limits = { maxBytes: 10, idleMs: 60_000, totalMs: 60_000, host: 'pod.example' }
  const { body, isCut } = await readAvailable(new Response(cut), limits)
  expect([Buffer.from(body).toString(), isCut]).toEqual(['half', true])
})

test('a body that is too large is refused outright, not truncated', async () => {
  const limits = { maxBytes: 10, idleMs: 60_000, totalMs: 60_000, host: 'pod.example' }
  expect(await refusal(readAvailable(new Response('0123456789a'), limits))).toMatchObject({ code: 'too-large' })
})
