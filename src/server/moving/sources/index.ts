import { antennapod } from './antennapod'
import { applePodcasts } from './apple-podcasts'
import { gpodder } from './gpodder'
import { audiobookshelf } from './audiobookshelf'
import { audiobookshelfServer } from './audiobookshelf-server'
import { gpodderServer } from './gpodder-server'
import { castget } from './castget'
import { kasts } from './kasts'
import { opml } from './opml'
import { pinepods } from './pinepods'
import { portcast } from './portcast'
import { pocketCasts } from './pocket-casts'
import { podcastAddict } from './podcast-addict'
import { podfetch } from './podfetch'
import { podgrab } from './podgrab'
import type { Source, SourceFile } from './source'

/** Every program that people can come from. */
export const sources: readonly Source[] = [
  podfetch,
  pinepods,
  audiobookshelf,
  podgrab,
  antennapod,
  podcastAddict,
  pocketCasts,
  applePodcasts,
  gpodder,
  kasts,
  castget,
  audiobookshelfServer,
  gpodderServer,
  portcast,
  opml,
]

/** The programs whose files people bring, for messages. */
export const titlesOfFiles = sources
  .filter(({ where }) => where !== null)
  .map(({ title }) => title)
  .join(', ')

/** The program that made a file; null where none of these did. */
export const recogniseSource = (file: SourceFile): Source | null =>
  sources.find(source => source.recognise(file)) ?? null
