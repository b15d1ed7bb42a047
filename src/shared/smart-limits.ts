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
