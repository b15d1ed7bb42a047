import { expect, test } from 'bun:test'
import { startS3Server } from '../../support/s3-server'
import { codeOf, signedClient, textIn } from '../../support/s3-server/signed'

async function start(options = {}) {
  const server = await startS3Server(options)
  const client = signedClient(server)
  const begin = async (key = 'a') =>
    textIn(await (await client.send('POST', key, { query: { uploads: '' } })).text(), 'UploadId')!
  const part = async (uploadId: string, partNumber: number, body: string) =>
    (await client.send('PUT', 'a', { query: { uploadId, partNumber: String(partNumber) }, body })).headers.get('etag')!
  const complete = (uploadId: string, parts: (readonly [number, string])[]) =>
    client.send('POST', 'a', {
      query: { uploadId },
      body: `<CompleteMultipartUpload>${parts.map(([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`).join('')}</CompleteMultipartUpload>`,
    })
  return { server, ...client, begin, part, complete, [Symbol.dispose]: () => server[Symbol.dispose]() }
}

test('parts become one object whose ETag is that of their digests', async () => {
  using s3 = await start({ minPartBytes: 3 })
  const id = await s3.begin()
  const second = await s3.part(id, 2, 'b')
  const first = await s3.part(id, 1, 'aaa')
  expect(s3.server.keys()).toEqual([])
  const answer = await (
    await s3.complete(id, [
      [1, first],
      [2, second],
    ])
  ).text()

  // md5(md5('aaa') + md5('b'))
  const md5 = (data: string | Uint8Array) => new Bun.CryptoHasher('md5').update(data).digest()
  const etag = `"${md5(Buffer.concat([md5('aaa'), md5('b')])).toString('hex')}-2"`
  expect(textIn(answer, 'ETag')).toBe(etag.replaceAll('"', '&quot;'))
  expect(s3.server.objects().get('a')).toMatchObject({ size: 4, etag })
  expect(Buffer.from(s3.server.objects().get('a')!.bytes()).toString()).toBe('aaab')
  expect(await codeOf(await s3.complete(id, [[1, first]]))).toBe('NoSuchUpload')
})

test('parts that are wrong, missing, out of order or too small are refused', async () => {
  using s3 = await start({ minPartBytes: 3 })
  const id = await s3.begin()
  const small = await s3.part(id, 1, 'b')
  const good = await s3.part(id, 2, 'aaa')
  const code = async (parts: (readonly [number, string])[]) => codeOf(await s3.complete(id, parts))

  expect(await code([[2, small]])).toBe('InvalidPart')
  expect(
    await code([
      [2, good],
      [3, good],
    ]),
  ).toBe('InvalidPart')
  expect(
    await code([
      [2, good],
      [1, small],
    ]),
  ).toBe('InvalidPartOrder')
  expect(
    await code([
      [1, small],
      [2, good],
    ]),
  ).toBe('EntityTooSmall')
  expect(await code([])).toBe('MalformedXML')
  expect(await code([[2, good]])).toBeUndefined()
})

test('an upload that is aborted is gone, and its parts cannot be sent any more', async () => {
  using s3 = await start()
  const id = await s3.begin()
  expect(s3.server.uploads()).toMatchObject([{ key: 'a', parts: 0 }])
  expect((await s3.send('DELETE', 'a', { query: { uploadId: id } })).status).toBe(204)

  expect(s3.server.uploads()).toEqual([])
  const late = await s3.send('PUT', 'a', { query: { uploadId: id, partNumber: '1' }, body: 'x' })
  expect([late.status, await codeOf(late)]).toEqual([404, 'NoSuchUpload'])
  expect((await s3.send('DELETE', 'a', { query: { uploadId: id } })).status).toBe(404)
})

test('a part may be a range of another object', async () => {
  using s3 = await start()
  s3.server.put('source', Buffer.from('0123456789'))
  const id = await s3.begin()
  const query = { uploadId: id, partNumber: '1' }
  const headers = { 'x-amz-copy-source': '/podcasts/source', 'x-amz-copy-source-range': 'bytes=2-5' }
  const answer = await (await s3.send('PUT', 'a', { query, headers })).text()
  await s3.complete(id, [[1, textIn(answer, 'ETag')!.replaceAll('&quot;', '"')]])

  expect(Buffer.from(s3.server.objects().get('a')!.bytes()).toString()).toBe('2345')
})

test('unfinished uploads are listed in pages, with the time they began', async () => {
  using s3 = await start()
  const begun = Date.UTC(2026, 4, 24)
  const ids = [s3.server.leaveUpload('a', begun), s3.server.leaveUpload('a', begun), s3.server.leaveUpload('b&', begun)]

  const found: string[] = []
  for (let markers = {}; ;) {
    const page = await (await s3.send('GET', '', { query: { uploads: '', 'max-uploads': '1', ...markers } })).text()
    expect(textIn(page, 'Initiated')).toBe('2026-05-24T00:00:00.000Z')
    found.push(textIn(page, 'UploadId')!)
    if (textIn(page, 'IsTruncated') === 'false') break
    markers = { 'key-marker': textIn(page, 'NextKeyMarker')!, 'upload-id-marker': textIn(page, 'NextUploadIdMarker')! }
  }
  expect(found).toEqual(ids)
})
