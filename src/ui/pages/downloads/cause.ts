import type { Download } from '../../../shared/api/download'

export const causes = [
  'gone',
  'refused',
  'slow',
  'not-audio',
  'incomplete',
  'no-room',
  'interrupted',
  'set-aside',
  'unknown',
] as const
export type Cause = (typeof causes)[number]

const byCode: Partial<Record<string, Cause>> = {
  'media-superseded': 'gone',
  'upstream-timeout': 'slow',
  'upstream-too-slow': 'slow',
  'not-media': 'not-audio',
  'media-incomplete': 'incomplete',
  'integrity-mismatch': 'incomplete',
  'disk-full': 'no-room',
  'too-large-upstream': 'no-room',
  'address-not-allowed': 'refused',
  'media-storage-absent': 'interrupted',
  'set-aside': 'set-aside',
}

/** Says why a download does not go on, for people; `status`: what the host answered, 0 if that is not the cause. */
export function causeOf(download: Pick<Download, 'errorCode' | 'status'>): { cause: Cause; status: number } {
  const { errorCode } = download
  const status = errorCode === 'media-unreachable' ? (download.status ?? 0) : 0
  if (status === 404 || status === 410) return { cause: 'gone', status }
  if (status >= 400 && status < 500) return { cause: 'refused', status }
  if (errorCode === 'media-unreachable') return { cause: 'interrupted', status }
  return { cause: byCode[errorCode ?? ''] ?? 'unknown', status }
}
