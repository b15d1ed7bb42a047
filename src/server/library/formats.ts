import { requireFormat } from '../downloads/formats'

/** Checks the formats by which files are named. Throws `invalid-format`, which names the field. */
export function requireFormats({ episodeFormat, podcastFormat }: { episodeFormat?: string; podcastFormat?: string }) {
  if (episodeFormat !== undefined) requireFormat('episodeFormat', episodeFormat, 'episode')
  if (podcastFormat !== undefined) requireFormat('podcastFormat', podcastFormat, 'podcast')
}
