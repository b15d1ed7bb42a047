import type { Person } from '../../../shared/api/podcast-tags'

/** The addresses and keys that one caller is given. */
export type Links = {
  /** Address of the server, with a trailing slash: `https://pod.example/castellan/`. */
  base: string
  /** Key that lets this caller open media and covers without a header; null if a cookie does, or in open mode. */
  key: string | null
  /** Key of the user's private feeds, which are read without a cookie; null in open mode. */
  feedKey: string | null
}

/** The address of one of our paths, with the key that this caller needs. */
export function mediaLink({ base, key }: Links, path: string): string {
  if (key === null) return `${base}${path}`
  return `${base}${path}${path.includes('?') ? '&' : '?'}apiKey=${key}`
}

/** The id of an episode in the name of its media: `{eid}.mp3`. */
export const episodeOfMedia = (file: string) => file.replace(/\.\w{1,5}$/, '')

/** The address of a cover; a known `digest` adds a version, which lets browsers cache the picture for ever. */
export const coverLink = (links: Links, kind: 'podcasts' | 'episodes', uuid: string, digest: string | null) =>
  mediaLink(links, `covers/${kind}/${uuid}${digest ? `?v=${digest.slice(0, 12)}` : ''}`)

/**
 * Replaces the pictures of people by ours of the same: a third party would learn who looks. `of`: `podcasts/{uuid}` or
 * `episodes/{uuid}`.
 */
export const linkPortraits = (persons: readonly Person[], of: string, links: Links): Person[] =>
  persons.map((person, place) =>
    person.img ? { ...person, img: portraitLink(links, `${of}/persons/${place}`) } : person,
  )

export const portraitLink = (links: Links, path: string) => mediaLink(links, `covers/${path}?size=128`)

/** The address of a private feed: a podcast's uuid, `favorites`, `tag/…` or `playlist/…`. */
export const feedLink = ({ base, feedKey }: Links, path: string) =>
  feedKey === null ? `${base}rss/${path}` : `${base}rss/apiKey/${feedKey}/${path}`

/** Removes a user name and password from an address: they are the server's, not the caller's. */
export function withoutUserInfo(address: string): string {
  // Read for every episode of a list, and hardly one has them.
  const url = address.includes('@') ? URL.parse(address) : null
  if (!url || (url.username === '' && url.password === '')) return address
  url.username = ''
  url.password = ''
  return url.href
}
