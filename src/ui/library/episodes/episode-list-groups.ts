import type { ReactNode } from 'react'
import type { EpisodeWrapper } from '../../../shared/api/episode'

/** Names the group of an episode. `end`: what is at the end of its heading. */
export type GroupOf = (wrapper: EpisodeWrapper) => { key: string; label: ReactNode; end?: ReactNode }

/** A line of a list: an episode, or the heading above some. */
export type Entry =
  | { kind: 'row'; wrapper: EpisodeWrapper; /** Its place among the episodes. */ place: number; groupAt: number }
  | {
      kind: 'group'
      key: string
      label: ReactNode
      tools: ReactNode
      /** Its place among the entries, and that of the entry after its last row. */
      at: number
      end: number
    }
export type Heading = Extract<Entry, { kind: 'group' }>

/** Lists episodes with a heading before every run of the same group. */
export function entriesOf(items: readonly EpisodeWrapper[], groupOf?: GroupOf): Entry[] {
  const entries: Entry[] = []
  let heading = null as Heading | null
  for (const [place, wrapper] of items.entries()) {
    if (groupOf) {
      const { key, label, end } = groupOf(wrapper)
      if (heading?.key !== key) {
        heading = { kind: 'group', key, label, tools: end, at: entries.length, end: entries.length + 1 }
        entries.push(heading)
      }
    }
    entries.push({ kind: 'row', wrapper, place, groupAt: heading?.at ?? -1 })
    if (heading) heading.end = entries.length
  }
  return entries
}

/**
 * Finds the headings of the visible groups, by the entry that each precedes: a heading may be scrolled away while its
 * rows are visible.
 */
export function shownGroups(entries: readonly Entry[], shown: readonly { index: number }[]): Map<number, Heading> {
  const groups = new Map<number, Heading>()
  const seen = new Set<number>()
  for (const { index } of shown) {
    const entry = entries[index]!
    const at = entry.kind === 'group' ? index : entry.groupAt
    if (at === -1 || seen.has(at)) continue
    seen.add(at)
    groups.set(index, entries[at] as Heading)
  }
  return groups
}
