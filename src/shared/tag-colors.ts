import type { TagColor } from './api/tag'

export const tagColors: readonly TagColor[] = ['Red', 'Green', 'Blue']

/** Returns the colour of a new tag for which nobody chose one. It differs from that of the tag before. */
export const colorOfTag = (others: number): TagColor => tagColors[(others + 1) % tagColors.length]!
