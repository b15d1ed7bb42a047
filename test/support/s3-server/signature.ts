import { createHash, createHmac } from 'node:crypto'

/** The parts of a request that AWS Signature Version 4 covers; `path` and `query` are decoded. */
export type Signable = {
  method: string
  path: string
  query: readonly (readonly [name: string, value: string])[]
  headers: ReadonlyMap<string, string>
  signedHeaders: readonly string[]
  payload: string
}

/** The day, region and service for which a key was derived, as `20130524/us-east-1/s3/aws4_request`. */
export type Scope = { date: string; region: string; service: string }

export const scopeText = ({ date, region, service }: Scope) => `${date}/${region}/${service}/aws4_request`

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

function canonicalQuery(query: Signable['query']): string {
  return query
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([name, value], [otherName, otherValue]) => byBytes(name, otherName) || byBytes(value, otherValue))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

export function canonicalRequest({ method, path, query, headers, signedHeaders, payload }: Signable): string {
  const lines = signedHeaders.map(name => `${name}:${(headers.get(name) ?? '').trim().replace(/ +/g, ' ')}\n`)
  const names = signedHeaders.join(';')
  const address = path.split('/').map(encode).join('/')
  return [method, address, canonicalQuery(query), lines.join(''), names, payload].join('\n')
}

const sign = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Signs a request; `time` as `20130524T000000Z`. Returns hexadecimal digits. */
export function signatureOf(request: Signable, secretKey: string, scope: Scope, time: string): string {
  const digest = createHash('sha256').update(canonicalRequest(request)).digest('hex')
  const text = ['AWS4-HMAC-SHA256', time, scopeText(scope), digest].join('\n')
  const { date, region, service } = scope
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(sign, `AWS4${secretKey}`)
  return sign(key, text).toString('hex')
}
