import type { ParsedEnclosure, ParsedItem } from './parsed-feed'

/** An item that can be played. */
export type PlayableItem = ParsedItem & { enclosure: ParsedEnclosure }

export const isPlayable = (item: ParsedItem): item is PlayableItem => item.enclosure !== null

const MAX_TITLE = 1000

/** The title under which an item is kept: its own, else the name of its file. */
export const titleOf = (item: PlayableItem) => item.title.slice(0, MAX_TITLE) || fileName(item.enclosure.url)

function fileName(address: string): string {
  const last = URL.parse(address)?.pathname.split('/').pop() ?? ''
  try {
    return decodeURIComponent(last) || address
  } catch {
    return last || address
  }
}
