/** Formats of transcripts that can be read, the best for following along first. */
export type TranscriptFormat = 'vtt' | 'json' | 'srt' | 'ttml' | 'lrc' | 'html' | 'text'

const labels: readonly [RegExp, TranscriptFormat][] = [
  [/vtt/i, 'vtt'],
  [/json/i, 'json'],
  [/subrip|srt/i, 'srt'],
  [/ttml|dfxp/i, 'ttml'],
  [/\blrc\b/i, 'lrc'],
  [/html?\b/i, 'html'],
  [/text\/plain|^te?xt$/i, 'text'],
]

/** The format that a label promises: the type that the feed names, else the extension of the address. */
export const formatOf = (type: string, address: string): TranscriptFormat | null =>
  labels.find(([pattern]) => pattern.test(type))?.[1] ??
  labels.find(([pattern]) => pattern.test(URL.parse(address)?.pathname.split('.').pop() ?? ''))?.[1] ??
  null

export const formatOrder = labels.map(([, format]) => format)
