import { formatTenths } from '../../shared/tenths'
import type { Passage } from './passage'

/** The name of the file of a clip, which distinguishes it from other clips of its episode: `Fog (00-15_00-25).mp3`. */
export function clipName(episode: string, { start, end }: Passage, type: string): string {
  const title = episode
    .replace(/[\\/:*?"<>|\s]+/g, ' ')
    .trim()
    .slice(0, 100)
    .trim()
  const times = [start, end].map(at => formatTenths(at).replaceAll(':', '-')).join('_')
  return `${title} (${times}).${type === 'audio/aac' ? 'aac' : 'mp3'}`.trim()
}
