import type { MediaRow } from '../../store/episodes'
import { inert } from '../core/inert'

type Named = Pick<MediaRow, 'title' | 'file_path' | 'enclosure_url'>

/** Headers of an episode's media, whether it is read from the disk or from its host. */
export function mediaHeaders(episode: Named, asDownload: boolean): Record<string, string> {
  const extension = /\.\w{1,5}$/.exec(episode.file_path ?? URL.parse(episode.enclosure_url)?.pathname ?? '')?.[0] ?? ''
  const name = `${episode.title}${extension}`.replace(/[\r\n"\\/]+/g, ' ')
  return {
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private',
    ...inert,
    'Content-Disposition': asDownload ? `attachment; filename*=UTF-8''${extValue(name)}` : 'inline',
  }
}

/** Encodes a file name by RFC 5987, in which some characters that `encodeURIComponent` keeps have a meaning. */
const extValue = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
