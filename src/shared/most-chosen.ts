/** The most episodes on which a request acts at once. */
export const MAX_CHOSEN = 500
