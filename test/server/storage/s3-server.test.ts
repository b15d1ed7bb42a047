import { describe, expect, test } from 'bun:test'
import { S3Client } from 'bun'
import { startS3Server, type S3ServerOptions } from '../../support/s3-server'
import { canonicalRequest, signatureOf, type Signable } from '../../support/s3-server/signature'

const strange = "Émission #1? a+b 100% (ü) l'été & x=y;z/01 – «Hörspiel».mp3"
const MIB = 1024 ** 2

async function start(options: S3ServerOptions = {}) {
  const server = await startS3Server(options)
  return { server, client: clientOf(server), [Symbol.dispose]: () => server[Symbol.dispose]() }
}

const clientOf = (
  {
    endpoint,
    settings,
  }: { endpoint: string; settings: { bucket: string; region: string; accessKey: string; secretKey: string } },
  changes: object = {},
) =>
  new S3Client({
    endpoint,
    bucket: settings.bucket,
    region: settings.region,
    accessKeyId: settings.accessKey,
    secretAccessKey: settings.secretKey,
    ...changes,
  })

const codeOf = async (response: Response) => /<Code>(.*?)<\/Code>/.exec(await response.text())?.[1]

describe('signatures as Amazon publishes them', () => {
  const secretKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
  const scope = { date: '20130524', region: 'us-east-1', service: 's3' }
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

  function sign(request: Partial<Signable>, headers: Record<string, string>) {
    const all = new Map(Object.entries({ host: 'examplebucket.s3.amazonaws.com', ...headers }))
    const signedHeaders = [...all.keys()].sort()
    const whole = { method: 'GET', path: '/', query: [], headers: all, signedHeaders, payload: empty, ...request }
    return signatureOf(whole, secretKey, scope, '20130524T000000Z')
  }
  const dated = { 'x-amz-date': '20130524T000000Z', 'x-amz-content-sha256': empty }

  test('a range of an object', () => {
    expect(sign({ path: '/test.txt' }, { ...dated, range: 'bytes=0-9' })).toBe(
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    )
  })
  test('an object with a dollar sign in its key', () => {
    const payload = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072'
    const headers = {
      ...dated,
      'x-amz-content-sha256': payload,
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    }
    expect(sign({ method: 'PUT', path: '/test$file.text', payload }, headers)).toBe(
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    )
  })
  test('a query without a value', () => {
    expect(sign({ query: [['lifecycle', '']] }, dated)).toBe(
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    )
  })
  test('a query with values', () => {
    const query: [string, string][] = [
      ['prefix', 'J'],
      ['max-keys', '2'],
    ]
    expect(sign({ query }, dated)).toBe('34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7')
  })
  test('an address that needs no sign-in', () => {
    const query: [string, string][] = [
      ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
      ['X-Amz-Credential', 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request'],
      ['X-Amz-Date', '20130524T000000Z'],
      ['X-Amz-Expires', '86400'],
      ['X-Amz-SignedHeaders', 'host'],
    ]
    expect(sign({ path: '/test.txt', query, payload: 'UNSIGNED-PAYLOAD' }, {})).toBe(
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    )
  })
  test('blanks within a header count once, and a key is encoded once', () => {
    const headers = new Map([['x-amz-meta-note', '  two   words ']])
    const request = {
      method: 'GET',
      path: '/a b+c',
      query: [],
      headers,
      signedHeaders: ['x-amz-meta-note'],
      payload: '',
    }
    expect(canonicalRequest(request)).toBe('GET\n/a%20b%2Bc\n\nx-amz-meta-note:two words\n\nx-amz-meta-note\n')
  })
})

describe("Bun's own client", () => {
  test('writes, reads, inspects, lists, signs and deletes an object with a strange key', async () => {
    using s3 = await start()
    await s3.client.write(strange, 'a podcast', { type: 'audio/mpeg' })

    expect(s3.server.keys()).toEqual([strange])
    expect(await s3.client.file(strange).text()).toBe('a podcast')
    expect(await s3.client.file(strange).slice(2, 5).text()).toBe('pod')
    expect(await s3.client.stat(strange)).toMatchObject({ size: 9, type: 'audio/mpeg' })
    expect((await s3.client.list())!.contents!.map(({ key, size }) => [key, size])).toEqual([[strange, 9]])
    const response = await fetch(s3.client.presign(strange), { headers: { Range: 'bytes=0-0' } })
    expect([response.status, await response.text(), response.headers.get('content-range')]).toEqual([
      206,
      'a',
      'bytes 0-0/9',
    ])
    await s3.client.delete(strange)
    await s3.client.delete(strange)
    expect(s3.server.keys()).toEqual([])
  })

  test('sends an object in parts', async () => {
    using s3 = await start()
    const bytes = new Uint8Array(12 * MIB).map((_, at) => at % 251)
    const writer = s3.client.file(strange).writer({ partSize: 5 * MIB, queueSize: 2 })
    for (let at = 0; at < bytes.byteLength; at += MIB) {
      writer.write(bytes.subarray(at, at + MIB))
      await writer.flush()
    }
    await writer.end()

    const stored = s3.server.objects().get(strange)!
    expect(Buffer.compare(stored.bytes(), bytes)).toBe(0)
    expect(stored.etag).toEndWith('-3"')
    expect(s3.server.uploads()).toEqual([])
  })

  test('is refused with a wrong key, a wrong secret, a wrong region, and without a bucket', async () => {
    using s3 = await start()
    const attempt = (changes: object) =>
      clientOf(s3.server, changes)
        .file('a')
        .text()
        .catch(error => error.code)

    expect(await attempt({ secretAccessKey: 'other' })).toBe('SignatureDoesNotMatch')
    expect(await attempt({ accessKeyId: 'other' })).toBe('InvalidAccessKeyId')
    expect(await attempt({ region: 'eu-other-1' })).toBe('AuthorizationHeaderMalformed')
    expect(await attempt({ bucket: 'other' })).toBe('NoSuchBucket')
    expect(await attempt({})).toBe('NoSuchKey')
    expect(await codeOf(await fetch(`${s3.server.endpoint}/podcasts/a`))).toBe('AccessDenied')
  })
})
