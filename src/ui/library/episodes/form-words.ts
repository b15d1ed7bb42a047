import type { EpisodeForm } from '../../../shared/api/playables'
import { formatBytes, languageName } from '../../format-facts'

type Named = Pick<EpisodeForm, 'type' | 'title'>

/** The name of a form of an episode: its title, else its type in short, such as OPUS. */
export const nameOfForm = ({ title, type }: Named) => title || kindOf(type)

/** Lists what distinguishes a form from the others: type, height, bits per second, language, bytes. */
export function factsOfForm({ title, type, height, bitrate, language, size }: Partial<EpisodeForm> & Named): string {
  return [
    title && kindOf(type),
    height && `${height}p`,
    bitrate && `${Math.round(bitrate / 1000)} kbit/s`,
    language && languageName(language),
    size && formatBytes(size),
  ]
    .filter(Boolean)
    .join(' · ')
}

const kindOf = (type: string) =>
  type
    .split(';')[0]!
    .replace(/^.*\/(x-)?/, '')
    .toUpperCase()
