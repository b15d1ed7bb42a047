import { formatRelative } from '../../format'
import { translate } from '../../i18n'
import type { LiveDownload } from '../../state/live-downloads'

type Failure = Pick<LiveDownload, 'state' | 'errorCode' | 'status' | 'nextAttemptAt'>

const gone = new Set([404, 410])
const refused = new Set([400, 401, 402, 403, 405, 406, 451])

/** Names the cause of a failure in a word or two: "gone (404)". */
export function causeOf({ errorCode, status }: Pick<Failure, 'errorCode' | 'status'>): string {
  if (status !== null) {
    const kind = gone.has(status) ? 'gone' : refused.has(status) ? 'refused' : 'answered'
    return translate(`download-cause.${kind}`, { status })
  }
  return translate([`download-cause.${errorCode}`, 'download-cause.unknown'])
}

/**
 * Says why an episode is not downloaded, and when that is tried again; null while nothing went wrong. What nobody will
 * try again is final.
 */
export function describeDownload(live: Failure, now = Date.now()): { text: string; isFinal: boolean } | null {
  if (live.errorCode === null) return null
  if (live.state === 'failed') return { text: translate('not-downloaded', { cause: causeOf(live) }), isFinal: true }
  if (live.state !== 'waiting') return null
  const cause = causeOf(live)
  const text = live.nextAttemptAt
    ? translate('download-waits', { cause, time: formatRelative(live.nextAttemptAt, now) })
    : cause
  return { text, isFinal: false }
}
