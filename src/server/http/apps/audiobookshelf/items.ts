import type { Context } from '../../../context'
import type { CataloguePodcast } from '../../../store/catalogue'
import type { Viewer } from '../../../store/visibility'
import { createLookup } from './lookup'
import { includes } from './protocol'
import { expandEpisode, type EpisodeOut } from './shapes/episode'
import { expandedItem, minifiedItem } from './shapes/item'
import { libraryIdsOf } from './shapes/library'
import { plainMedia } from './shapes/media'
import { createShownEpisodes } from './shown-episodes'
import { createWholeItems } from './whole-items'

export type Items = ReturnType<typeof createItems>

type Amount = {
  /** The newest episodes; a hundred unless it is given. */
  limit?: number
  /** The uuid of an episode that has to be among them. */
  episode?: string
  /** Without them, episodes have their subtitle only. */
  withNotes?: boolean
}

type Beside = {
  /** The number of episodes that are not finished. */
  withIncomplete?: boolean
  /** The feed that a server opened for the podcast: there never is one. */
  withFeed?: boolean
}

/** Reads what an address wants besides each item. */
export const readBeside = (query: URLSearchParams): Beside => ({
  withIncomplete: includes(query, 'numepisodesincomplete'),
  withFeed: includes(query, 'rssfeed'),
})

/** Podcasts and episodes in the forms of the protocol, as far as their viewer may see them. */
export function createItems(app: Pick<Context, 'store'>) {
  const { catalogue } = app.store
  const lookup = createLookup(app)
  const ids = libraryIdsOf(app)
  const { show, showThose } = createShownEpisodes(app)

  /** The item of each episode, made by `itemOf` once for each podcast, with the episode next to it. */
  function besideItems<Item>(viewer: Viewer, episodeIds: readonly number[], itemOf: (row: CataloguePodcast) => Item) {
    const items = new Map<number, Item>()
    return showThose(viewer, episodeIds, false).map(({ row, podcast, episode }) => {
      const item = items.get(podcast.id) ?? itemOf(podcast)
      items.set(podcast.id, item)
      return { id: row.id, item: { ...item, recentEpisode: expandEpisode(episode) } }
    })
  }

  /** The newest episodes of a podcast, and a certain one. */
  function newest(viewer: Viewer, { id, uuid }: CataloguePodcast, { limit, episode, withNotes }: Required<Amount>) {
    const rows = catalogue.episodesOf(viewer, id, { limit, withNotes })
    if (episode === '' || rows.some(row => row.uuid === episode)) return rows
    return [lookup.requireEpisode(viewer, uuid, episode), ...rows]
  }

  return {
    ids,
    ...lookup,
    ...createWholeItems(app, ids),
    /** Podcasts in their minified form, by their rows, with what an app wants next to it. */
    minified: (viewer: Viewer, podcastIds: readonly number[], { withIncomplete, withFeed }: Beside = {}) =>
      catalogue.podcasts(viewer, podcastIds).map(row => ({
        ...minifiedItem(row, ids),
        ...(withIncomplete && { numEpisodesIncomplete: row.visible_count - row.finished_count }),
        ...(withFeed && { rssFeed: null }),
      })),
    /** Episodes in their plain form, by their rows and in that order. */
    plainEpisodes: (viewer: Viewer, episodeIds: readonly number[], { withNotes = true }: Amount = {}) =>
      showThose(viewer, episodeIds, withNotes).map(({ episode }) => episode),
    /** Episodes in their expanded form, by their rows and in that order. */
    expandedEpisodes: (viewer: Viewer, episodeIds: readonly number[], { withNotes = true }: Amount = {}) =>
      showThose(viewer, episodeIds, withNotes).map(({ episode }) => expandEpisode(episode)),
    /** The newest episodes of a podcast in their plain form, without notes. */
    newestPlain: (viewer: Viewer, podcast: CataloguePodcast, limit: number) =>
      show(catalogue.episodesOf(viewer, podcast.id, { limit, withNotes: false }), [podcast], false).map(
        ({ episode }) => episode,
      ),
    /** An episode in its plain form. Throws `AppRefusal`: 404 or 403. */
    episodeOf: (viewer: Viewer, podcast: string, episode: string): EpisodeOut =>
      showThose(viewer, [lookup.requireEpisode(viewer, podcast, episode).id], true)[0]!.episode,
    /** The minified item of each episode, by their rows, with the episode next to it. */
    withEpisodes: (viewer: Viewer, episodeIds: readonly number[]) =>
      besideItems(viewer, episodeIds, row => minifiedItem(row, ids)),
    /** The same with expanded items, which have no separate episodes. */
    withExpandedItems: (viewer: Viewer, episodeIds: readonly number[]) =>
      besideItems(viewer, episodeIds, row => expandedItem(row, ids, [])).map(({ item }) => item),
    /** Expanded episodes, by their rows, each with its podcast's media. */
    withPodcasts: (viewer: Viewer, episodeIds: readonly number[]) =>
      showThose(viewer, episodeIds, false).map(({ podcast, episode }) => ({
        ...expandEpisode(episode),
        podcast: plainMedia(podcast, []),
        libraryId: ids.libraryId,
      })),
    /** Expanded items without their episodes, by the rows of their podcasts. */
    withoutEpisodes: (viewer: Viewer, podcastIds: readonly number[]) =>
      catalogue.podcasts(viewer, podcastIds).map(row => expandedItem(row, ids, [])),
    /** The podcasts among these uuids that the viewer may see, in their order. */
    podcastsAmong: (viewer: Viewer, uuids: readonly string[]): CataloguePodcast[] =>
      catalogue.podcasts(viewer, catalogue.podcastIds(uuids)),
    /**
     * A podcast in its expanded form, with as many episodes as are wanted; many of them belong into `expandedParts`.
     */
    expanded(viewer: Viewer, row: CataloguePodcast, { limit = 100, episode = '', withNotes = true }: Amount = {}) {
      const rows = limit === 0 ? [] : newest(viewer, row, { limit, episode, withNotes })
      const episodes = show(rows, [row], withNotes).map(({ episode: one }) => expandEpisode(one))
      return expandedItem(row, ids, episodes)
    },
  }
}
