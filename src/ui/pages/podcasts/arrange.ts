import type { Podcast } from '../../../shared/api/podcast'

export const sorts = ['newest', 'title', 'unplayed', 'added', 'played'] as const
export type Sort = (typeof sorts)[number]

const { compare } = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true })

/** Instants of one width sort like their characters; what has none comes last. */
const byLatest = (field: 'last_episode_at' | 'added_at' | 'last_played_at') => (one: Podcast, other: Podcast) => {
  const [a, b] = [other[field] ?? '', one[field] ?? '']
  return a < b ? -1 : Number(a > b)
}
const byName = (one: Podcast, other: Podcast) => compare(one.name, other.name)

const orders: Record<Sort, (one: Podcast, other: Podcast) => number> = {
  newest: byLatest('last_episode_at'),
  title: byName,
  unplayed: (one, other) => other.unlistened_count - one.unlistened_count,
  added: byLatest('added_at'),
  played: byLatest('last_played_at'),
}

/** Sorts podcasts; what is equal is sorted by name. */
export const arrange = (podcasts: readonly Podcast[], sort: Sort): Podcast[] =>
  podcasts.toSorted((one, other) => orders[sort](one, other) || byName(one, other))

/** Removes accents and case, so that "cafe" finds "Café". */
export const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase()

/** Returns whether a podcast gets no new episodes although it should. */
export const needsAttention = ({ feed_state }: Podcast) => feed_state === 'failing' || feed_state === 'gone'
