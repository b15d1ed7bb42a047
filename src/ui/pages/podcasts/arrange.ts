import type { Podcast } from '../../../shared/api/podcast'

export const sorts = ['title', 'newest'] as const
export type Sort = (typeof sorts)[number]

const { compare } = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true })

/** Sorts podcasts by title, or by their newest episode. */
export const arrange = (podcasts: readonly Podcast[], sort: Sort): Podcast[] =>
  podcasts.toSorted((one, other) =>
    sort === 'title'
      ? compare(one.name, other.name)
      : (other.last_episode_at ?? '').localeCompare(one.last_episode_at ?? ''),
  )

/** Removes accents and case, so that "cafe" finds "Café". */
export const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase()
