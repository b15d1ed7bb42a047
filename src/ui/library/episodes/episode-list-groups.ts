import type { ReactNode } from 'react'
import type { EpisodeWrapper } from '../../../shared/api/episode'

/** Names the group of an episode. `end`: what is at the end of its heading. */
export type GroupOf = (wrapper: EpisodeWrapper) => { key: string; label: ReactNode; end?: ReactNode }

/** A part of a list whose length is known. Without a label it has no heading. A folded one shows no rows. */
export type Section = { key: string; label?: ReactNode; end?: ReactNode; count: number; isFolded?: boolean }

/** A line of a list: an episode, or the heading above some. */
export type Entry =
  | { kind: 'row'; key: string | number; /** Its place among the episodes. */ place: number; groupAt: number }
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
        heading = headingOf({ key, label, end }, entries.length)
        entries.push(heading)
      }
    }
    entries.push({ kind: 'row', key: wrapper.podcastEpisode.id, place, groupAt: heading?.at ?? -1 })
    if (heading) heading.end = entries.length
  }
  return entries
}

/** Lists the episodes of sections, known or not, by their places. */
export function entriesOfSections(sections: readonly Section[]): Entry[] {
  const entries: Entry[] = []
  let place = 0
  for (const section of sections) {
    const heading = section.label === undefined ? null : headingOf(section, entries.length)
    if (heading) entries.push(heading)
    const end = place + section.count
    for (; place < end && !section.isFolded; place++)
      entries.push({ kind: 'row', key: place, place, groupAt: heading?.at ?? -1 })
    place = end
    if (heading) heading.end = entries.length
  }
  return entries
}

const headingOf = ({ key, label, end }: Omit<Section, 'count'>, at: number): Heading => ({
  kind: 'group',
  key,
  label,
  tools: end,
  at,
  end: at + 1,
})

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
