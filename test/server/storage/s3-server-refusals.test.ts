import { expect, test } from 'bun:test'
import { startS3Server } from '../../support/s3-server'
import { codeOf, md5Of, signedClient, textIn } from '../../support/s3-server/signed'

const NOW = Date.UTC(2026, 4, 24, 12)

async function start(options = {}) {
  const server = await startS3Server(options)
  return { server, ...signedClient(server), [Symbol.dispose]: () => server[Symbol.dispose]() }
}

const outcome = async (response: Response) => [response.status, await codeOf(response)]

test('an address that was signed runs out, and cannot be changed', async () => {
  let now = NOW
  using s3 = await start({ now: () => now })
  s3.server.put('a b.mp3', Buffer.from('sound'))
  const address = await s3.presign(
    'a b.mp3',
    { 'response-content-type': 'audio/mpeg', 'response-content-disposition': 'attachment; filename="ü.mp3"' },
    '20260524T120000Z',
  )

  const good = await fetch(address, { headers: { Range: 'bytes=-2' } })
  expect([good.status, await good.text(), good.headers.get('content-type')]).toEqual([206, 'nd', 'audio/mpeg'])
  expect(good.headers.get('content-disposition')).toStartWith('attachment')
  expect(await outcome(await fetch(address.replace('audio', 'video')))).toEqual([403, 'SignatureDoesNotMatch'])
  expect(await outcome(await fetch(address, { method: 'DELETE' }))).toEqual([403, 'SignatureDoesNotMatch'])
  expect(await outcome(await fetch(address, { headers: { 'x-amz-acl': 'public' } }))).toEqual([403, 'AccessDenied'])
  now += 3600_000
  expect((await fetch(address)).status).toBe(200)
  now += 1000
  expect(await outcome(await fetch(address))).toEqual([403, 'AccessDenied'])
  now = NOW - 16 * 60_000
  expect(await outcome(await fetch(address))).toEqual([403, 'AccessDenied'])
})

test('a clock that is wrong by more than a quarter of an hour is refused', async () => {
  using s3 = await start({ now: () => Date.now() + 16 * 60_000 })

  expect(await outcome(await s3.send('GET', 'a'))).toEqual([403, 'RequestTimeTooSkewed'])
})

test('a header of Amazon that was not signed is refused', async () => {
  using s3 = await start()
  const request = new Request(await s3.presign('a'))
  request.headers.set('x-amz-copy-source', '/podcasts/b')

  expect(await outcome(await fetch(request))).toEqual([403, 'AccessDenied'])
})

test('bytes that differ from a digest are refused and leave nothing', async () => {
  using s3 = await start()
  const put = async (headers: Record<string, string>) => outcome(await s3.send('PUT', 'a', { body: 'bytes', headers }))
  const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text)

  expect(await put({ 'Content-MD5': md5Of('other') })).toEqual([400, 'BadDigest'])
  expect(await put({ 'x-amz-checksum-sha256': sha256('other').digest('base64') })).toEqual([400, 'BadDigest'])
  expect(await put({ 'x-amz-checksum-crc32': 'AAAAAA==' })).toEqual([400, 'BadDigest'])
  expect(await put({ 'Content-MD5': 'no digest' })).toEqual([400, 'InvalidDigest'])
  expect(await put({ 'X-Amz-Content-Sha256': sha256('other').digest('hex') })).toEqual([
    400,
    'XAmzContentSHA256Mismatch',
  ])
  expect(await put({ 'X-Amz-Content-Sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD' })).toEqual([501, 'NotImplemented'])
  expect(s3.server.keys()).toEqual([])
  expect(await put({ 'Content-MD5': md5Of('bytes'), 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' })).toEqual([
    200,
    undefined,
  ])
  expect(await put({ 'x-amz-checksum-sha256': sha256('bytes').digest('base64') })).toEqual([200, undefined])
  const crc32 = Buffer.alloc(4)
  crc32.writeUInt32BE(Bun.hash.crc32('bytes'))
  expect(await put({ 'x-amz-checksum-crc32': crc32.toString('base64') })).toEqual([200, undefined])
})

test('ranges and conditions', async () => {
  using s3 = await start()
  s3.server.put('a', Buffer.from('0123456789'))
  const etag = s3.server.objects().get('a')!.etag
  const get = async (headers: Record<string, string>) => {
    const response = await s3.send('GET', 'a', { headers })
    return [response.status, response.headers.get('content-range'), (await response.text()).slice(0, 10)]
  }

  expect(await get({ Range: 'bytes=2-4' })).toEqual([206, 'bytes 2-4/10', '234'])
  expect(await get({ Range: 'bytes=8-99' })).toEqual([206, 'bytes 8-9/10', '89'])
  expect(await get({ Range: 'bytes=-3' })).toEqual([206, 'bytes 7-9/10', '789'])
  expect((await get({ Range: 'bytes=10-' }))[0]).toBe(416)
  expect(await get({ Range: 'bytes=0-1,4-5' })).toEqual([200, null, '0123456789'])
  expect(await get({ 'If-Match': etag })).toEqual([200, null, '0123456789'])
  expect((await get({ 'If-Match': '"other"' }))[0]).toBe(412)
  expect(await get({ 'If-None-Match': etag })).toEqual([304, null, ''])
  const head = await s3.send('HEAD', 'a')
  expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([200, '10', etag])
  expect((await s3.send('HEAD', 'b')).status).toBe(404)
  expect(await outcome(await s3.send('PUT', 'a', { body: 'x', headers: { 'If-None-Match': '*' } }))).toEqual([
    412,
    'PreconditionFailed',
  ])
})

test('a copy keeps bytes and type; its source has to be there', async () => {
  using s3 = await start()
  const key = 'É # ? a+b%20/&=().mp3'
  s3.server.put(key, Buffer.from('sound'), 'audio/mpeg')
  const source = `/podcasts/${encodeURIComponent(key)}`
  const copy = (headers: Record<string, string>) => s3.send('PUT', 'new', { headers })

  expect(textIn(await (await copy({ 'x-amz-copy-source': source })).text(), 'ETag')).toContain(
    Buffer.from(md5Of('sound'), 'base64').toString('hex'),
  )
  expect(s3.server.objects().get('new')).toMatchObject({ size: 5, type: 'audio/mpeg' })
  expect(await outcome(await copy({ 'x-amz-copy-source': '/podcasts/absent' }))).toEqual([404, 'NoSuchKey'])
  expect(await outcome(await copy({ 'x-amz-copy-source': '/podcasts/new' }))).toEqual([400, 'InvalidRequest'])
  expect(await outcome(await copy({ 'x-amz-copy-source': source, 'x-amz-copy-source-if-match': '"x"' }))).toEqual([
    412,
    'PreconditionFailed',
  ])
})

test('listings come in pages, in the order of bytes, and escape what XML cannot hold', async () => {
  using s3 = await start()
  const keys = ['a&b', 'a/1', 'a/2', 'b+c d', 'é', 'ｚ', '😀']
  for (const key of keys.toReversed()) s3.server.put(key, Buffer.from('x'))
  const list = async (query: Record<string, string>) =>
    (await s3.send('GET', '', { query: { 'list-type': '2', ...query } })).text()
  const keysIn = (xml: string) => [...xml.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key!)

  const found: string[] = []
  for (let token = ''; ;) {
    const page = await list({ 'max-keys': '2', 'encoding-type': 'url', ...(token && { 'continuation-token': token }) })
    found.push(...keysIn(page).map(key => decodeURIComponent(key.replaceAll('+', ' '))))
    token = textIn(page, 'NextContinuationToken') ?? ''
    if (!token) break
  }
  expect(found).toEqual(keys)
  expect(keysIn(await list({ prefix: 'a&' }))).toEqual(['a&amp;b'])
  expect(keysIn(await list({ 'start-after': 'b+c d', 'max-keys': '1' }))).toEqual(['é'])
  const folders = await list({ delimiter: '/' })
  expect(textIn(folders, 'CommonPrefixes')).toBe('<Prefix>a/</Prefix>')
  expect(keysIn(folders)).toHaveLength(5)
})

test('several objects are deleted at once', async () => {
  using s3 = await start()
  for (const key of ['a', 'b&c', 'd']) s3.server.put(key, Buffer.from('x'))
  const body = '<Delete><Object><Key>a</Key></Object><Object><Key>b&amp;c</Key></Object></Delete>'
  const remove = (headers: Record<string, string>) => s3.send('POST', '', { query: { delete: '' }, headers, body })

  expect(await outcome(await remove({}))).toEqual([400, 'InvalidRequest'])
  expect((await remove({ 'Content-MD5': md5Of(body) })).status).toBe(200)
  expect(s3.server.keys()).toEqual(['d'])
})

test('a bucket that is gone, a key that is withdrawn and a call that does not exist are told apart', async () => {
  using s3 = await start()
  expect((await s3.send('HEAD', '')).status).toBe(200)
  expect(await outcome(await s3.send('GET', 'a', { query: { acl: '' } }))).toEqual([501, 'NotImplemented'])
  s3.server.settings.hasBucket = false
  expect((await s3.send('HEAD', '')).status).toBe(404)
  s3.server.settings.accessKey = 'new'
  expect((await s3.send('HEAD', '')).status).toBe(403)
})
