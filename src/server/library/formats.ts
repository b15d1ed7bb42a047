import { requireFormat } from '../downloads/formats'

/** Throws `invalid-format`, which names the field, for a format that files cannot be named by. */
export function requireFormats({ episodeFormat, podcastFormat }: { episodeFormat?: string; podcastFormat?: string }) {
  if (episodeFormat !== undefined) requireFormat('episodeFormat', episodeFormat, 'episode')
  if (podcastFormat !== undefined) requireFormat('podcastFormat', podcastFormat, 'podcast')
}
