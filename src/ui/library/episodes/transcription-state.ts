import type { Transcription } from '../../../shared/api/texts'
import { transcriptionsApi } from '../../api/administration'
import type { AppState } from '../../app-context'
import { formatBytes } from '../../format-facts'
import { formatRelative, sentence } from '../../format'
import { translate } from '../../i18n'

type Sent = Pick<Transcription, 'sentBytes' | 'totalBytes'>

/**
 * The part of a file that was sent, 0 to 1; null while the speech server works on it, which does not report its
 * progress.
 */
export const shareSent = ({ sentBytes, totalBytes }: Sent): number | null =>
  totalBytes && sentBytes !== null && sentBytes < totalBytes ? sentBytes / totalBytes : null

/** Describes the state of a transcription; `live`: its newest figures. */
export function describeTranscription(current: Transcription, live: Sent): string {
  const { state } = current
  if (state === 'queued') return translate('transcription-queued')
  if (state === 'running') return shareSent(live) === null ? translate('transcription-running') : sentText(live)
  return [causeOf(current), ...circumstancesOf(current)].join(' ')
}

const sentText = ({ sentBytes, totalBytes }: Sent) =>
  translate('transcription-sending', { sent: formatBytes(sentBytes ?? 0), total: formatBytes(totalBytes ?? 0) })

/** The reason why a transcription does not continue. */
export const causeOf = ({ errorCode }: Transcription) => translate(`error.${errorCode ?? 'unexpected'}`)

/** The speech server's message, the number of attempts, and when the next one begins. */
export function circumstancesOf({ state, message, attempts, nextAttemptAt }: Transcription): string[] {
  return [
    message && sentence(message),
    attempts > 0 && translate('tried-times', { count: attempts }),
    state === 'waiting' && nextAttemptAt && translate('next-try', { when: formatRelative(nextAttemptAt) }),
  ].filter(part => typeof part === 'string' && part !== '') as string[]
}

/** Has the file of an episode transcribed. A separate module, since few people ever need it. */
export async function transcribe({ client, toasts }: AppState, episodeId: string) {
  await transcriptionsApi(client).request(episodeId)
  toasts.done(translate('transcription-asked'))
}
