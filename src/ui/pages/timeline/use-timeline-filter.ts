import { useSearchParams } from 'wouter'
import type { TimelineFilter } from '../../library/episodes/use-timeline'

const HALF_AN_HOUR = 1800

/** The filters by their parameter in the address. */
const meanings: Record<string, TimelineFilter> = {
  unplayed: { notListened: true },
  favorites: { favoredOnly: true },
  downloaded: { downloaded: true },
  short: { shorterThan: HALF_AN_HOUR },
}

/** The filter of the timeline, as the address states it. `toggle('tag', id)` chooses one tag instead of another. */
export function useTimelineFilter() {
  const [search, setSearch] = useSearchParams()
  const tag = search.get('tag')
  const filter: TimelineFilter = Object.assign(
    tag ? { tag } : {},
    ...Object.entries(meanings).map(([name, meaning]) => search.has(name) && meaning),
  )
  function change(edit: (next: URLSearchParams) => void) {
    setSearch(
      given => {
        const next = new URLSearchParams(given)
        edit(next)
        return next
      },
      { replace: true },
    )
  }
  return {
    filter,
    isFiltered: Object.keys(filter).length > 0,
    isOn: (name: string, value = '') => search.get(name) === value,
    toggle: (name: string, value = '') =>
      change(next => (next.get(name) === value ? next.delete(name) : next.set(name, value))),
    clear: () => change(next => ['tag', ...Object.keys(meanings)].forEach(name => next.delete(name))),
  }
}
