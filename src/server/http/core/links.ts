/** Addresses as one caller needs them. */
export type Links = {
  /** The server, with a slash at its end: `https://pod.example/castellan/`. */
  base: string
  /** What media and covers need to be had without a header; null where a cookie does it, or nobody signs in. */
  key: string | null
  /** What private feeds need, wherever they are read; null where nobody signs in. */
  feedKey: string | null
}

/** A path of ours as this caller can open it. */
export function mediaLink({ base, key }: Links, path: string): string {
  if (key === null) return `${base}${path}`
  return `${base}${path}${path.includes('?') ? '&' : '?'}apiKey=${key}`
}

export const feedLink = ({ base, feedKey }: Links, path: string) =>
  feedKey === null ? `${base}rss/${path}` : `${base}rss/apiKey/${feedKey}/${path}`
