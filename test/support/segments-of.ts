import { formatOf } from '../../src/server/texts/select'
import { parseTranscript } from '../../src/server/texts/transcripts/read'

/** The segments of a transcript; none of what is no transcript. */
export function segmentsOf(text: string, label = '') {
  const found = parseTranscript(text, formatOf(label, ''))
  return 'kind' in found ? [] : found.segments
}
