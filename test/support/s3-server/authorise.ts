import { timingSafeEqual } from 'node:crypto'
import { Refusal } from './answers'
import { signatureOf, type Scope, type Signable } from './signature'

export type Credentials = { accessKey: string; secretKey: string; region: string }
type Unsigned = Omit<Signable, 'signedHeaders' | 'payload'>
type Claim = { accessKey: string; scope: Scope; time: string; signature: string; request: Signable }

const SKEW_MS = 15 * 60_000
const MAX_EXPIRES = 7 * 24 * 60 * 60
const denied = (message: string, details = {}) => new Refusal(403, 'AccessDenied', message, details)
const malformed = (message: string, details = {}) => new Refusal(400, 'AuthorizationHeaderMalformed', message, details)

/** Checks the signature of a request and returns the digest of its payload that was signed. Throws `Refusal`. */
export function authorise(request: Unsigned, credentials: Credentials, now: number): string {
  const query = new Map(request.query)
  const header = request.headers.get('authorization')
  const isPresigned = query.has('X-Amz-Signature') || query.has('X-Amz-Algorithm')
  if (header === undefined && !isPresigned) throw denied('Access Denied')
  if (header !== undefined && isPresigned) throw new Refusal(400, 'InvalidArgument', 'Only one auth mechanism allowed')
  const claim = header === undefined ? readQuery(request, query, now) : readHeader(request, header, now)
  check(claim, credentials)
  return claim.request.payload
}

function check({ accessKey, scope, time, signature, request }: Claim, credentials: Credentials) {
  if (accessKey !== credentials.accessKey)
    throw new Refusal(403, 'InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.')
  const { region } = credentials
  if (scope.service !== 's3' || scope.region !== region)
    throw malformed(`the region '${scope.region}' is wrong; expecting '${region}'`, { Region: region })
  if (!time.startsWith(scope.date)) throw malformed('the date of the scope is another than that of the request')
  const unsigned = [...request.headers.keys()].filter(
    name => (name === 'host' || name.startsWith('x-amz-')) && !request.signedHeaders.includes(name),
  )
  if (unsigned.length > 0)
    throw denied('There were headers present in the request which were not signed', {
      HeadersNotSigned: unsigned.join(', '),
    })
  const expected = signatureOf(request, credentials.secretKey, scope, time)
  if (signature.length !== expected.length || !timingSafeEqual(Buffer.from(signature), Buffer.from(expected)))
    throw new Refusal(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match yours.')
}

function readHeader(request: Unsigned, header: string, now: number): Claim {
  const [, credential = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 +Credential=([^, ]+), *SignedHeaders=([^, ]+), *Signature=([0-9a-f]{64})$/.exec(header) ?? []
  if (signature === '') throw malformed('The authorization header is malformed.')
  const time = request.headers.get('x-amz-date') ?? ''
  if (Math.abs(momentOf(time) - now) > SKEW_MS)
    throw new Refusal(403, 'RequestTimeTooSkewed', 'The difference between the request time and the time is too large.')
  const payload = request.headers.get('x-amz-content-sha256')
  if (payload === undefined)
    throw new Refusal(400, 'InvalidRequest', 'Missing required header for this request: x-amz-content-sha256')
  if (payload.startsWith('STREAMING-'))
    throw new Refusal(501, 'NotImplemented', 'Streamed payloads are not implemented')
  if (payload !== 'UNSIGNED-PAYLOAD' && !/^[0-9a-f]{64}$/.test(payload))
    throw new Refusal(400, 'InvalidArgument', 'x-amz-content-sha256 must be UNSIGNED-PAYLOAD or a valid sha256 value.')
  const signedHeaders = readNames(names)
  return { ...readCredential(credential), time, signature, request: { ...request, signedHeaders, payload } }
}

function readQuery(request: Unsigned, query: ReadonlyMap<string, string>, now: number): Claim {
  const value = (name: string) => {
    const found = query.get(`X-Amz-${name}`)
    if (found !== undefined) return found
    throw new Refusal(400, 'AuthorizationQueryParametersError', `X-Amz-${name} is missing`)
  }
  if (value('Algorithm') !== 'AWS4-HMAC-SHA256')
    throw new Refusal(400, 'AuthorizationQueryParametersError', 'X-Amz-Algorithm only supports "AWS4-HMAC-SHA256"')
  const time = value('Date')
  const expires = Number(value('Expires'))
  if (!Number.isInteger(expires) || expires < 1 || expires > MAX_EXPIRES)
    throw new Refusal(400, 'AuthorizationQueryParametersError', 'X-Amz-Expires must be between 1 and 604800 seconds')
  const signedAt = momentOf(time)
  if (signedAt > now + SKEW_MS) throw denied('Request is not valid yet')
  if (signedAt + expires * 1000 < now) throw denied('Request has expired')
  return {
    ...readCredential(value('Credential')),
    time,
    signature: value('Signature'),
    request: {
      ...request,
      query: request.query.filter(([name]) => name !== 'X-Amz-Signature'),
      signedHeaders: readNames(value('SignedHeaders')),
      payload: 'UNSIGNED-PAYLOAD',
    },
  }
}

function readCredential(text: string) {
  const [accessKey = '', date = '', region = '', service = '', end, ...rest] = text.split('/')
  if (end !== 'aws4_request' || rest.length > 0) throw malformed('the Credential is mal-formed')
  return { accessKey, scope: { date, region, service } }
}

function readNames(text: string): string[] {
  const names = text.split(';')
  if (names.join(';') !== [...names].sort().join(';') || names.some(name => name !== name.toLowerCase()))
    throw malformed('SignedHeaders must be in lower case and sorted')
  return names
}

/** Milliseconds of a time such as `20130524T000000Z`. */
function momentOf(time: string): number {
  const iso = time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const moment = iso === time ? Number.NaN : Date.parse(iso)
  if (Number.isNaN(moment)) throw denied('AWS authentication requires a valid Date or x-amz-date header')
  return moment
}
