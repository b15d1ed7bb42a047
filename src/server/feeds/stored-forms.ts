import type { ParsedForm } from './parsed-feed'
import type { EpisodeColumns } from '../store/episodes'

/** The other forms of an episode, as its feed names them. */
export function formsOfEpisode({ extras }: Pick<EpisodeColumns, 'extras'>): readonly ParsedForm[] {
  if (extras === null || !extras.includes('"forms"')) return []
  return (JSON.parse(extras) as { forms?: ParsedForm[] }).forms ?? []
}
