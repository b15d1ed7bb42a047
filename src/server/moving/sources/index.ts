import { type FileItem, type Item, MoveRefused, type PodcastItem } from '../item'
import { antennapod } from './antennapod'
import { applePodcasts } from './apple-podcasts'
import { audiobookshelf } from './audiobookshelf'
import { audiobookshelfServer } from './audiobookshelf-server'
import { castget } from './castget'
import { gpodder, gpodderServer } from './gpodder'
import { kasts } from './kasts'
import { opml } from './opml'
import { pinepods } from './pinepods'
import { pocketCasts } from './pocket-casts'
import { podcastAddict } from './podcast-addict'
import { podfetch } from './podfetch'
import { podgrab } from './podgrab'
import { portcast } from './portcast'
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
  .filter(({ isFile }) => isFile)
  .map(({ title }) => title)
  .join(', ')

/** The program that made a file; null if none of these did. */
export const recogniseSource = (file: SourceFile): Source | null =>
  sources.find(source => source.recognise(file)) ?? null

/** The list of a folder's files that the server writes itself, so that a restart finds the same: JSON, line by line. */
const HEAD = '{"castellan-folder":1}'

/** A folder of audio files. */
export const folder: Source = {
  name: 'folder',
  title: 'a folder of files',
  isFile: false,
  recognise: ({ head }) => head.startsWith(HEAD),
  async *read({ readLines }) {
    const lines = [...readLines()].slice(1)
    const items = lines.filter(Boolean).map(readLine)
    yield* items.filter(item => item.is === 'podcast')
    for (const { feed } of items.filter(item => item.is === 'podcast')) yield { is: 'subscription', user: null, feed }
    yield* items.filter(item => item.is === 'file')
  },
}

/** Writes such a list. */
export const writeInventory = (items: readonly (PodcastItem | FileItem)[]): string =>
  [HEAD, ...items.map(item => JSON.stringify(item))].join('\n')

function readLine(line: string): PodcastItem | FileItem {
  try {
    const item = JSON.parse(line) as Item
    if (item.is === 'podcast' || item.is === 'file') return item
  } catch {
    // Cut short.
  }
  throw new MoveRefused('move-copy-lost', 'The list of the folder is damaged. Start the import again.')
}
