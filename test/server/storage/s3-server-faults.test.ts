import { expect, test } from 'bun:test'
import { startS3Server, type Fault } from '../../support/s3-server'
import { codeOf, signedClient, textIn } from '../../support/s3-server/signed'

const bytes = Buffer.from('0123456789'.repeat(100_000))

async function start(fault?: Fault) {
  const server = await startS3Server()
  server.put('a', bytes)
  const planned = fault && server.fail(fault)
  return { server, planned, ...signedClient(server), [Symbol.dispose]: () => server[Symbol.dispose]() }
}

const bodyOf = (response: Response) => response.bytes().then(Buffer.from)

test('a failure meets as many of the fitting requests as it was planned for', async () => {
  using s3 = await start()
  const plan = s3.server.fail(
    { kind: 'refuse', status: 503, code: 'SlowDown', headers: { 'Retry-After': '2' } },
    { times: 1, when: ({ method }) => method === 'GET' },
  )

  expect((await s3.send('HEAD', 'a')).status).toBe(200)
  const refused = await s3.send('GET', 'a')
  expect([refused.status, refused.headers.get('retry-after'), await codeOf(refused)]).toEqual([503, '2', 'SlowDown'])
  expect((await s3.send('GET', 'a')).status).toBe(200)
  expect(plan.met()).toBe(1)
  expect(s3.server.requests.map(({ method, key, status }) => `${method} ${key} ${status}`)).toEqual([
    'HEAD a 200',
    'GET a 503',
    'GET a 200',
  ])
})

test('a failure ends when it is switched off', async () => {
  using s3 = await start({ kind: 'refuse', status: 500, code: 'InternalError' })
  expect((await s3.send('GET', 'a')).status).toBe(500)
  expect((await s3.send('GET', 'a')).status).toBe(500)
  s3.planned!.off()

  expect((await s3.send('GET', 'a')).status).toBe(200)
})

test('an answer is cut in its middle, though its length was told', async () => {
  using s3 = await start({ kind: 'cut-answer', afterBytes: 300_000 })
  const response = await s3.send('GET', 'a')

  expect(response.headers.get('content-length')).toBe(String(bytes.byteLength))
  expect(await bodyOf(response).catch(error => error)).toBeInstanceOf(Error)
  expect(s3.server.requests[0]!.bytesSent).toBe(300_000)
})

test('a connection is cut before the work, or after it', async () => {
  using s3 = await start()
  s3.server.fail({ kind: 'cut', when: 'before' }, { when: ({ key }) => key === 'b' })
  s3.server.fail({ kind: 'cut', when: 'after' }, { when: ({ key }) => key === 'c' })

  expect(await s3.send('PUT', 'b', { body: 'x' }).catch(error => error)).toBeInstanceOf(Error)
  expect(await s3.send('PUT', 'c', { body: 'x' }).catch(error => error)).toBeInstanceOf(Error)
  expect(s3.server.keys()).toEqual(['a', 'c'])
})

test('an upload is cut in its middle and leaves nothing', async () => {
  using s3 = await start({ kind: 'cut-upload', afterBytes: 100_000 })

  expect(await s3.send('PUT', 'b', { body: new Uint8Array(bytes) }).catch(error => error)).toBeInstanceOf(Error)
  expect(s3.server.keys()).toEqual(['a'])
})

test('a slow answer comes late, and a trickling one in pieces', async () => {
  using s3 = await start({ kind: 'slow', ms: 1 })
  expect((await bodyOf(await s3.send('GET', 'a'))).equals(bytes)).toBe(true)
  s3.server.clearFaults()
  s3.server.fail({ kind: 'trickle', bytes: 200_000, everyMs: 1 })

  const response = await s3.send('GET', 'a')
  expect(response.headers.get('content-length')).toBe(String(bytes.byteLength))
  expect((await bodyOf(response)).equals(bytes)).toBe(true)
})

test('a request that is never answered ends with the patience of the reader', async () => {
  using s3 = await start({ kind: 'hang' })
  const address = await s3.presign('a')

  expect(await fetch(address, { signal: AbortSignal.timeout(20) }).catch(error => error.name)).toBe('TimeoutError')
})

test('wrong bytes are sent, stored, or told of by a wrong ETag', async () => {
  using s3 = await start({ kind: 'send-wrong' })
  expect((await bodyOf(await s3.send('GET', 'a')))[0]).toBe(bytes[0]! ^ 0xff)
  s3.server.clearFaults()
  s3.server.fail({ kind: 'store-wrong', as: 'flipped' }, { times: 1 })
  s3.server.fail({ kind: 'store-wrong', as: 'shorter' }, { times: 1 })
  s3.server.fail({ kind: 'wrong-etag' }, { times: 1 })
  for (const key of ['b', 'c', 'd']) expect((await s3.send('PUT', key, { body: 'xyz' })).status).toBe(200)

  const objects = s3.server.objects()
  expect([...objects.get('b')!.bytes()]).toEqual([0x78 ^ 0xff, 0x79, 0x7a])
  expect(objects.get('c')).toMatchObject({ size: 2 })
  expect(objects.get('d')).toMatchObject({ size: 3, etag: `"${'0'.repeat(32)}"` })
})

test('a part is lost, or the completion fails behind a status of success', async () => {
  using s3 = await start()
  const uploadId = textIn(await (await s3.send('POST', 'b', { query: { uploads: '' } })).text(), 'UploadId')!
  const query = { uploadId, partNumber: '1' }
  const complete = async (etag: string) =>
    s3.send('POST', 'b', {
      query: { uploadId },
      body: `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part></CompleteMultipartUpload>`,
    })
  s3.server.fail({ kind: 'lose-part' }, { times: 1 })
  const lost = await s3.send('PUT', 'b', { query, body: 'x' })
  expect(lost.status).toBe(200)
  expect(await codeOf(await complete(lost.headers.get('etag')!))).toBe('InvalidPart')

  const etag = (await s3.send('PUT', 'b', { query, body: 'x' })).headers.get('etag')!
  s3.server.fail({ kind: 'fail-complete' }, { times: 1 })
  const failed = await complete(etag)
  expect([failed.status, await codeOf(failed)]).toEqual([200, 'InternalError'])
  expect(s3.server.uploads()).toHaveLength(1)
  expect((await complete(etag)).status).toBe(200)
})

test('an answer is HTML, empty, elsewhere, without an end, or more than was asked for', async () => {
  using s3 = await start()
  for (const of of ['html', 'empty', 'endless'] as const) s3.server.fail({ kind: 'body', of }, { times: 1 })
  s3.server.fail({ kind: 'redirect', status: 301, to: 'http://127.0.0.1:1/' }, { times: 1 })
  s3.server.fail({ kind: 'ignore-range' }, { times: 1 })

  expect(await (await s3.send('GET', 'a')).text()).toStartWith('<!doctype html>')
  expect(await (await s3.send('GET', 'a')).text()).toBe('')
  const reader = (await s3.send('GET', 'a')).body!.getReader()
  for (let read = 0; read < 200_000;) read += (await reader.read()).value!.byteLength
  await reader.cancel()
  const moved = await s3.send('GET', 'a')
  expect([moved.status, moved.headers.get('location')]).toEqual([301, 'http://127.0.0.1:1/'])
  const whole = await s3.send('GET', 'a', { headers: { Range: 'bytes=0-1' } })
  expect([whole.status, (await bodyOf(whole)).byteLength]).toEqual([200, bytes.byteLength])
})

test('the whole server goes away, and comes back at the same port with its objects', async () => {
  using s3 = await start()
  s3.server.goAway()
  expect(await s3.send('HEAD', 'a').catch(error => error.code)).toBe('ECONNREFUSED')
  await s3.server.comeBack()

  expect((await s3.send('HEAD', 'a')).status).toBe(200)
})
