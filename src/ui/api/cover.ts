/** Widths in pixels that the server scales covers to. */
export type CoverSize = 64 | 128 | 256 | 512 | 1024

/** The address of a cover, scaled by the server. */
export const withSize = (src: string, size: CoverSize) => `${src}${src.includes('?') ? '&' : '?'}size=${size}`
