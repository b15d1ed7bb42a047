import { MoveRefused } from '../refused'
import type { FileItem, Item, PodcastItem } from '../item'
import type { Source } from './source'

/** The list of a folder's files that the server writes itself, so that a restart finds the same: JSON, line by line. */
const HEAD = '{"castellan-folder":1}'

/** A folder of audio files. */
export const folder: Source = {
  name: 'folder',
  title: 'a folder of files',
  where: null,
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
  throw new MoveRefused('The list of the folder is damaged. Start the import again.')
}
