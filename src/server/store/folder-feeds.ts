// Why: docs/internals/decisions/0030

/**
 * The scheme of podcasts without a feed: folders of files. It is where others have the address of their feed, which
 * must be unique, and before the addresses of their episodes; nothing is ever requested from it or handed to others.
 */
export const FOLDER_SCHEME = 'castellan-folder:'

export const isFolderAddress = (address: string) => address.startsWith(FOLDER_SCHEME)

/** SQL for a podcast that has a feed. */
export const hasFeed = (alias: string) => `substr(${alias}.feed_url, 1, ${FOLDER_SCHEME.length}) <> '${FOLDER_SCHEME}'`
