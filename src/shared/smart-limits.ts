/** Rules of a smart playlist. */
export const MOST_RULES = 12
/** Episodes that a smart playlist holds. */
export const LARGEST_SMART_PLAYLIST = 500
/** Episodes that a smart playlist keeps downloaded. */
export const MOST_KEPT_DOWNLOADED = 50
/** Podcasts, or tags, that one rule names. */
export const MOST_NAMED = 50
/** Characters of the words of one rule. */
export const LONGEST_WORDS = 100
/** Episodes that a preview shows. */
export const PREVIEWED = 5
