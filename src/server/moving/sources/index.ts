import { antennapod } from './antennapod'
import { gpodder } from './gpodder'
import { audiobookshelf } from './audiobookshelf'
import { kasts } from './kasts'
import { opml } from './opml'
import { podfetch } from './podfetch'
import { podgrab } from './podgrab'
import type { Source, SourceFile } from './source'

/** Every program that people can come from. */
export const sources: readonly Source[] = [podfetch, audiobookshelf, podgrab, antennapod, gpodder, kasts, opml]

/** The program that made a file; null where none of these did. */
export const recogniseSource = (file: SourceFile): Source | null =>
  sources.find(source => source.recognise(file)) ?? null
