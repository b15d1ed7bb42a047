import { antennapod } from './antennapod'
import { gpodder } from './gpodder'
import { opml } from './opml'
import { podfetch } from './podfetch'
import type { Source, SourceFile } from './source'

/** Every program that people can come from. */
export const sources: readonly Source[] = [podfetch, antennapod, gpodder, opml]

/** The program that made a file; null where none of these did. */
export const recogniseSource = (file: SourceFile): Source | null =>
  sources.find(source => source.recognise(file)) ?? null
