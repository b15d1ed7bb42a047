/** The most episodes that one request may act on. */
export const MAX_CHOSEN = 5000
/** The most episodes that a filter may name for one request. */
export const MAX_MATCHING = 50_000

/** Rules of a smart playlist. */
export const MAX_RULES = 12
/** Episodes that a smart playlist holds. */
export const MAX_SMART_PLAYLIST = 500
/** Episodes that a smart playlist keeps downloaded. */
export const MAX_KEPT_DOWNLOADED = 50
/** Podcasts, or tags, that one rule names. */
export const MAX_NAMED = 50
/** Characters of the words of one rule. */
export const MAX_WORDS = 100
/** Episodes that a preview shows. */
export const PREVIEWED = 5
/** Characters of the description of a playlist. */
export const MAX_PLAYLIST_DESCRIPTION = 10_000
/** Covers in the picture of a playlist. */
export const PICTURED = 4

/** Seconds of the longest clip, and of the shortest. */
export const MAX_CLIP = 300
export const MIN_CLIP = 0.5
/** Days after which a public clip ends by default, and the most that can be chosen. */
export const CLIP_DAYS = 30
export const MAX_CLIP_DAYS = 365
/** Characters. */
export const MAX_QUOTE = 1000

/** Seconds that a button of the player may skip. */
export const skipSeconds = [10, 15, 30, 45, 60] as const

export const playbackRates = [0.5, 1, 1.1, 1.25, 1.5, 2, 2.5, 3] as const

export const MIN_RATE = 0.5
export const MAX_RATE = 3
/** Rates are multiples of 1 / 20. */
export const RATE_STEPS = 20

export const roundRate = (rate: number) =>
  Math.round(Math.min(MAX_RATE, Math.max(MIN_RATE, rate)) * RATE_STEPS) / RATE_STEPS

/** Lists the rates of the cycle, and one that may be between them. */
export const ratesWith = (rate: number): number[] =>
  [...new Set<number>([...playbackRates, rate])].toSorted((one, other) => one - other)

/** The next rate in the cycle: the next faster one of the list, the slowest after the fastest. */
export const nextPlaybackRate = (rate: number): number => playbackRates.find(next => next > rate) ?? MIN_RATE
