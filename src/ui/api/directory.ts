import type { DirectoryPodcast, ItunesSearch, PodindexSearch } from '../../shared/api/directory'
import type { Calls } from './calls'

export type DirectoryHit = DirectoryPodcast

/** Searches podcast directories, in the path 0 = iTunes and 1 = Podcast Index. Both results have the same shape. */
export const directoryApi = ({ get }: Calls) => ({
  /** Lists podcasts that are popular in a country, by its code of two letters. */
  popular: (country: string, signal?: AbortSignal) => get('/discover/popular')({ country }, signal),
  async itunes(term: string, signal?: AbortSignal): Promise<DirectoryHit[]> {
    const { results } = (await get('/podcasts/:id/:term/search')('0', term, signal)) as ItunesSearch
    // iTunes also lists podcasts without a public feed.
    return results.flatMap(({ feedUrl, trackName, artistName, artworkUrl100, podcastId }) =>
      feedUrl ? [{ feedUrl, title: trackName, author: artistName, image: artworkUrl100 ?? null, podcastId }] : [],
    )
  },
  async podindex(term: string, signal?: AbortSignal): Promise<DirectoryHit[]> {
    const { feeds } = (await get('/podcasts/:id/:term/search')('1', term, signal)) as PodindexSearch
    return feeds.map(({ url, title, author, image, podcastId }) => ({
      feedUrl: url,
      title,
      author: author ?? '',
      image: image ?? null,
      podcastId,
    }))
  },
})
