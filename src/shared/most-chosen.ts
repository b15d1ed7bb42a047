/** The most episodes on which a request acts at once. */
export const MOST_CHOSEN = 500
