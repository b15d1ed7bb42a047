import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'

type Options = {
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}

/** A bucket, and the key that opens it. */
export type BucketPlace = {
  endpoint: string
  settings: { bucket: string; region: string; accessKey: string; secretKey: string }
}

/** A client that is none of ours, to send any request that S3 knows. */
export function signedClient({ endpoint, settings }: BucketPlace) {
  const { accessKey, secretKey, region, bucket } = settings
  const signer = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    service: 's3',
    region,
    retries: 0,
  })

  const addressOf = (key: string, query: Record<string, string>) => {
    const url = new URL(`${endpoint}/${bucket}${key && `/${key.split('/').map(encodeURIComponent).join('/')}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url.href
  }
  return {
    async send(method: string, key: string, { query = {}, headers = {}, body }: Options = {}): Promise<Response> {
      const init = { method, headers, ...(body !== undefined && { body }) }
      return fetch(await signer.sign(addressOf(key, query), init), { redirect: 'manual' })
    },
    /** An address for a while; `datetime` as `20130524T000000Z`. */
    async presign(key: string, query: Record<string, string> = {}, datetime?: string) {
      const url = addressOf(key, { 'X-Amz-Expires': '3600', ...query })
      const aws = { signQuery: true, ...(datetime && { datetime }) }
      return (await signer.sign(url, { method: 'GET', aws })).url
    },
  }
}

export const md5Of = (body: string | Uint8Array) => createHash('md5').update(body).digest('base64')

/** The text of the first element of that name. */
export const textIn = (xml: string, name: string) => new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1]

export const codeOf = async (response: Response) => textIn(await response.text(), 'Code')
