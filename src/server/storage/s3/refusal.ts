import { StorageFailure } from '../storage'
import { readXml, textOf } from './xml'

const full = new Set(['QuotaExceeded', 'EntityTooLarge', 'InsufficientStorage', 'XMinioStorageFull', 'AccountProblem'])
/** Codes of services that use other statuses for a call they lack. */
const lacking = new Set(['NotImplemented', 'MethodNotAllowed'])
const advice: Record<string, string> = {
  InvalidAccessKeyId: 'Check S3_ACCESS_KEY.',
  SignatureDoesNotMatch: 'Check S3_SECRET_KEY, and the clock of this machine.',
  RequestTimeTooSkewed: 'Set the clock of this machine.',
  AccessDenied: 'Its key needs the right to list, read, write and delete.',
  NoSuchBucket: 'Create it, or check S3_BUCKET.',
  PermanentRedirect: 'Check S3_REGION and S3_ENDPOINT.',
  AuthorizationHeaderMalformed: 'Check S3_REGION.',
}

/**
 * Turns a refusal into a failure that says what to do. `name`: the bucket, for people; `isOptional`: the call is one
 * that not every key may use, so that 403 refuses this call alone.
 */
export async function failureOf(response: Response, name: string, isOptional = false): Promise<StorageFailure> {
  const { status } = response
  const code = textOf((await readXml(response).catch(() => null))?.Error, 'Code')
  const said = code === '' ? `answered ${status}` : `answered ${status} (${code})`
  if (status === 507 || full.has(code)) return new StorageFailure('full', `${name} has no room left: it ${said}`)
  if (code === 'BadDigest' || code === 'InvalidDigest')
    return new StorageFailure('broken', `${name} received bytes that differ from those sent`)
  if (status === 501 || status === 405 || lacking.has(code) || (isOptional && status === 403))
    return new StorageFailure('refused', `${name} lacks a call: it ${said}`)
  const hint = advice[code] ?? (status >= 300 && status < 400 ? advice.PermanentRedirect : undefined)
  return new StorageFailure('away', `${name} ${said}${hint === undefined ? '' : `. ${hint}`}`)
}
