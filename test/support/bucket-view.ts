import { XMLParser } from 'fast-xml-parser'
import { signedClient, type BucketPlace } from './s3-server/signed'

export type SeenObject = { key: string; size: number; etag: string; modified: number }
export type BucketView = ReturnType<typeof viewBucket>

const parser = new XMLParser({
  parseTagValue: false,
  htmlEntities: true,
  isArray: name => name === 'Contents' || name === 'Upload',
})
const decodeKey = (key: string) => decodeURIComponent(key.replaceAll('+', ' '))

/** The objects and unfinished uploads of a bucket, as a client that is not ours sees them. */
export function viewBucket(place: BucketPlace) {
  const client = signedClient(place)

  async function read(query: Record<string, string>, root: string) {
    const response = await client.send('GET', '', { query: { 'encoding-type': 'url', ...query } })
    const text = await response.text()
    if (!response.ok) throw new Error(`the bucket answered ${response.status}: ${text}`)
    const result = parser.parse(text)[root] ?? {}
    // Some services do not encode keys, though they are asked to.
    const decode = result.EncodingType === 'url' ? decodeKey : (key: string) => key
    return { result, decode }
  }

  return {
    async objects(): Promise<SeenObject[]> {
      const found: SeenObject[] = []
      for (let token = ''; ;) {
        const query = { 'list-type': '2', ...(token && { 'continuation-token': token }) }
        const { result: page, decode } = await read(query, 'ListBucketResult')
        for (const { Key, Size, ETag, LastModified } of page.Contents ?? [])
          found.push({ key: decode(Key), size: Number(Size), etag: ETag, modified: Date.parse(LastModified) })
        token = page.IsTruncated === 'true' ? page.NextContinuationToken : ''
        if (!token) return found
      }
    },
    async uploads(): Promise<{ key: string; begun: number }[]> {
      const { result, decode } = await read({ uploads: '' }, 'ListMultipartUploadsResult')
      return (result.Upload ?? []).map(({ Key, Initiated }: Record<string, string>) => ({
        key: decode(Key!),
        begun: Date.parse(Initiated!),
      }))
    },
    /** The bytes of an object; null when there is none. */
    async bytes(key: string): Promise<Uint8Array | null> {
      const response = await client.send('GET', key)
      if (response.ok) return response.bytes()
      await response.body?.cancel()
      return null
    },
    async remove(key: string) {
      await (await client.send('DELETE', key)).body?.cancel()
    },
    /** Makes the bucket itself. */
    async create() {
      await (await client.send('PUT', '')).body?.cancel()
    },
  }
}
