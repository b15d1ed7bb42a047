/** The filters and order of a podcast's episodes. */
export type EpisodeQuery = {
  new?: boolean
  unlistened?: boolean
  downloaded?: boolean
  liked?: boolean
  text?: string
  order?: 'newest' | 'oldest'
  limit?: number
}

export const parametersOf = ({ new: only_new, unlistened: only_unlistened, text: q, ...rest }: EpisodeQuery) => ({
  ...rest,
  only_new,
  only_unlistened,
  q,
})
