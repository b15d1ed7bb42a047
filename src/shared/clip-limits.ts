/** Seconds of the longest clip, and of the shortest. */
export const MAX_CLIP = 300
export const MIN_CLIP = 0.5
/** Days after which a public clip ends, unless its owner says otherwise, and the most of them. */
export const CLIP_DAYS = 30
export const MAX_CLIP_DAYS = 365
/** Characters. */
export const MAX_QUOTE = 1000
