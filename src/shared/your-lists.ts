/** The lists of a person's own episodes, in the order in which they are shown. */
export const yourLists = ['liked', 'bookmarked', 'in-progress', 'downloaded', 'history'] as const
export type YourList = (typeof yourLists)[number]
