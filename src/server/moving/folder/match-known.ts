import { DAY } from '../../platform/clock'
import type { KnownEpisode } from '../../store/episodes'

type Looked = { name: string; title: string; at: number | null }

/**
 * Finds which episode of a podcast each file is: by the name of the file at its host, else by title and day, else by a
 * title that no other episode has. Each episode is found once.
 */
export function createEpisodeMatcher(known: readonly KnownEpisode[]) {
  const byName = Map.groupBy(known, ({ enclosure_url }) => bare(nameOf(enclosure_url)))
  const byTitle = Map.groupBy(known, ({ title }) => bare(title))
  const used = new Set<number>()
  return ({ name, title, at }: Looked): KnownEpisode | null => {
    const sameTitle = (byTitle.get(bare(title)) ?? []).filter(({ id }) => !used.has(id))
    const found =
      only(byName.get(bare(withoutExtension(name)))) ??
      sameTitle.find(one => at !== null && one.announced_at !== null && dayOf(one.announced_at) === dayOf(at)) ??
      only(sameTitle)
    if (!found || used.has(found.id)) return null
    used.add(found.id)
    return found
  }
}

const only = <T>(found: readonly T[] | undefined): T | null => (found?.length === 1 ? found[0]! : null)
const dayOf = (at: number) => Math.floor(at / DAY)
const withoutExtension = (name: string) => name.replace(/\.\w{1,5}$/, '')

/** The letters and digits of a text: a name of a file lacks the rest. */
export const bare = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

function nameOf(address: string): string {
  const last = URL.parse(address)?.pathname.split('/').at(-1) ?? ''
  try {
    return withoutExtension(decodeURIComponent(last))
  } catch {
    return withoutExtension(last)
  }
}
