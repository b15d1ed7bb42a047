import type { DirectoryChart, DirectoryPodcast, ItunesSearch, PodindexSearch } from '../../shared/api/directory'
import type { Client } from './client'

export type DirectoryHit = DirectoryPodcast

/** Searches podcast directories, in the path 0 = iTunes and 1 = Podcast Index. Both results have the same shape. */
export const directoryApi = (client: Client) => ({
  /** Lists podcasts that are popular in a country, by its code of two letters. */
  popular: (country: string, signal?: AbortSignal) =>
    client.get<DirectoryChart>('/discover/popular', { country }, signal),
  async itunes(term: string, signal?: AbortSignal): Promise<DirectoryHit[]> {
    const { results } = await client.get<ItunesSearch>(`/podcasts/0/${encodeURIComponent(term)}/search`, {}, signal)
    // iTunes also lists podcasts without a public feed.
    return results.flatMap(({ feedUrl, trackName, artistName, artworkUrl100, podcastId }) =>
      feedUrl ? [{ feedUrl, title: trackName, author: artistName, image: artworkUrl100 ?? null, podcastId }] : [],
    )
  },
  async podindex(term: string, signal?: AbortSignal): Promise<DirectoryHit[]> {
    const { feeds } = await client.get<PodindexSearch>(`/podcasts/1/${encodeURIComponent(term)}/search`, {}, signal)
    return feeds.map(({ url, title, author, image, podcastId }) => ({
      feedUrl: url,
      title,
      author: author ?? '',
      image: image ?? null,
      podcastId,
    }))
  },
})
