import type { Context } from '../../../context'
import type { CatalogueEpisode, CataloguePodcast } from '../../../store/catalogue'
import type { Viewer } from '../../../store/visibility'
import { createLookup } from './lookup'
import { includes } from './protocol'
import { expandEpisode, factsOf, presentEpisode, type EpisodeOut } from './shapes/episode'
import { expandedItem, minifiedItem, plainItem } from './shapes/item'
import { libraryIdsOf } from './shapes/library'
import { plainMedia } from './shapes/media'

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
  /** How many episodes are not finished. */
  withIncomplete?: boolean
  /** The feed that a server opened for the podcast: there never is one. */
  withFeed?: boolean
}

/** Reads what an address wants beside each item. */
export const readBeside = (query: URLSearchParams): Beside => ({
  withIncomplete: includes(query, 'numepisodesincomplete'),
  withFeed: includes(query, 'rssfeed'),
})

/** Podcasts and episodes in the forms of the protocol, as far as their viewer may see them. */
export function createItems(app: Pick<Context, 'store'>) {
  const { catalogue, chapters } = app.store
  const lookup = createLookup(app)
  const ids = libraryIdsOf(app)

  /** What is told of episodes of these podcasts, with their chapters. */
  function describe(rows: readonly CatalogueEpisode[], podcasts: readonly CataloguePodcast[], withNotes: boolean) {
    const own = chapters.bestOf(rows.filter(row => row.has_own_chapters).map(row => row.id))
    const byId = new Map(podcasts.map(row => [row.id, row]))
    return rows.flatMap(row => {
      const podcast = byId.get(row.podcast_id)
      return podcast ? [{ row, podcast, facts: factsOf(row, podcast, own.get(row.id) ?? [], withNotes) }] : []
    })
  }

  /** The same for episodes by their rows, in that order. */
  function describeThose(viewer: Viewer, episodeIds: readonly number[], { withNotes = true }: Amount = {}) {
    const rows = catalogue.episodes(viewer, episodeIds, withNotes)
    const podcasts = catalogue.podcasts(viewer, [...new Set(rows.map(row => row.podcast_id))])
    return describe(rows, podcasts, withNotes)
  }

  /** The item of each episode, made by `itemOf` once for each podcast, with the episode beside it. */
  function besideItems<Item>(viewer: Viewer, episodeIds: readonly number[], itemOf: (row: CataloguePodcast) => Item) {
    const items = new Map<number, Item>()
    return describeThose(viewer, episodeIds, { withNotes: false }).map(({ row, podcast, facts }) => {
      const item = items.get(podcast.id) ?? itemOf(podcast)
      items.set(podcast.id, item)
      return { id: row.id, item: { ...item, recentEpisode: expandEpisode(presentEpisode(facts)) } }
    })
  }

  /** The newest episodes of a podcast, and a certain one. */
  function newest(viewer: Viewer, { id, uuid }: CataloguePodcast, { limit, episode, withNotes }: Required<Amount>) {
    const rows = catalogue.episodesOf(viewer, id, { limit, withNotes })
    if (episode === '' || rows.some(row => row.uuid === episode)) return rows
    return [lookup.requireEpisode(viewer, uuid, episode), ...rows]
  }

  /** Writes an item with all of its episodes, in parts: other requests are answered in between. */
  async function* write(viewer: Viewer, podcast: CataloguePodcast, item: object, formOf: (one: EpisodeOut) => object) {
    // Within a text the quotes would be escaped: this is the key itself.
    const [before, behind] = JSON.stringify(item).split('"episodes":[]') as [string, string]
    yield `${before}"episodes":[`
    let separator = ''
    for await (const rows of partsOf(app.store, viewer, podcast.id)) {
      if (rows.length === 0) continue
      const episodes = describe(rows, [podcast], true).map(({ facts }) => formOf(presentEpisode(facts)))
      yield separator + JSON.stringify(episodes).slice(1, -1)
      separator = ','
    }
    yield `]${behind}`
  }

  return {
    ids,
    ...lookup,
    /** Podcasts in their minified form, by their rows, with what an app wants beside it. */
    minified: (viewer: Viewer, podcastIds: readonly number[], { withIncomplete, withFeed }: Beside = {}) =>
      catalogue.podcasts(viewer, podcastIds).map(row => ({
        ...minifiedItem(row, ids),
        ...(withIncomplete && { numEpisodesIncomplete: row.visible_count - row.finished_count }),
        ...(withFeed && { rssFeed: null }),
      })),
    /** Episodes in their plain form, by their rows and in that order. */
    plainEpisodes: (viewer: Viewer, episodeIds: readonly number[], amount: Amount = {}) =>
      describeThose(viewer, episodeIds, amount).map(({ facts }) => presentEpisode(facts)),
    /** Episodes in their expanded form, by their rows and in that order. */
    expandedEpisodes: (viewer: Viewer, episodeIds: readonly number[], amount: Amount = {}) =>
      describeThose(viewer, episodeIds, amount).map(({ facts }) => expandEpisode(presentEpisode(facts))),
    /** The newest episodes of a podcast in their plain form, without notes. */
    newestPlain: (viewer: Viewer, podcast: CataloguePodcast, limit: number) =>
      describe(catalogue.episodesOf(viewer, podcast.id, { limit, withNotes: false }), [podcast], false).map(
        ({ facts }) => presentEpisode(facts),
      ),
    /** An episode in its plain form. Throws `AppRefusal`: 404 or 403. */
    episodeOf: (viewer: Viewer, podcast: string, episode: string): EpisodeOut =>
      presentEpisode(describeThose(viewer, [lookup.requireEpisode(viewer, podcast, episode).id])[0]!.facts),
    /** The minified item of each episode, by their rows, with the episode beside it. */
    withEpisodes: (viewer: Viewer, episodeIds: readonly number[]) =>
      besideItems(viewer, episodeIds, row => minifiedItem(row, ids)),
    /** The same with expanded items, which have no episodes of their own. */
    withExpandedItems: (viewer: Viewer, episodeIds: readonly number[]) =>
      besideItems(viewer, episodeIds, row => expandedItem(row, ids, [])).map(({ item }) => item),
    /** Expanded episodes, by their rows, each with its podcast's media. */
    withPodcasts: (viewer: Viewer, episodeIds: readonly number[]) =>
      describeThose(viewer, episodeIds, { withNotes: false }).map(({ podcast, facts }) => ({
        ...expandEpisode(presentEpisode(facts)),
        podcast: plainMedia(podcast, []),
        libraryId: ids.libraryId,
      })),
    /** Expanded items without their episodes, by the rows of their podcasts. */
    withoutEpisodes: (viewer: Viewer, podcastIds: readonly number[]) =>
      catalogue.podcasts(viewer, podcastIds).map(row => expandedItem(row, ids, [])),
    /** The podcasts among these uuids that the viewer may see, in their order. */
    podcastsAmong: (viewer: Viewer, uuids: readonly string[]): CataloguePodcast[] =>
      catalogue.podcasts(viewer, catalogue.podcastIds(uuids)),
    /** A podcast in its plain form with all of its episodes, as parts of JSON. */
    plainParts: (viewer: Viewer, row: CataloguePodcast) => write(viewer, row, plainItem(row, ids, []), one => one),
    /** A podcast in its expanded form with all of its episodes, as parts of JSON. `beside`: what follows the item. */
    expandedParts: (viewer: Viewer, row: CataloguePodcast, beside: object = {}) =>
      write(viewer, row, { ...expandedItem(row, ids, []), ...beside }, expandEpisode),
    /** The same as one text. */
    expandedJson: async (viewer: Viewer, row: CataloguePodcast): Promise<string> =>
      (await Array.fromAsync(write(viewer, row, expandedItem(row, ids, []), expandEpisode))).join(''),
    /** A podcast in its expanded form, with as many episodes as are wanted; many of them belong into `expandedParts`. */
    expanded(viewer: Viewer, row: CataloguePodcast, { limit = 100, episode = '', withNotes = true }: Amount = {}) {
      const rows = limit === 0 ? [] : newest(viewer, row, { limit, episode, withNotes })
      const episodes = describe(rows, [row], withNotes).map(({ facts }) => expandEpisode(presentEpisode(facts)))
      return expandedItem(row, ids, episodes)
    },
  }
}

/** Episodes that are read and written at once: a millisecond or two of work. */
const PART = 100

/** The episodes of a podcast in parts, the newest first; between two of them other requests are answered. */
async function* partsOf({ catalogue }: Context['store'], viewer: Viewer, podcastId: number) {
  for (let after: CatalogueEpisode | undefined; ;) {
    const rows = catalogue.episodesOf(viewer, podcastId, { after, limit: PART, withNotes: true })
    yield rows
    if (rows.length < PART) return
    after = rows.at(-1)
    await new Promise(setImmediate)
  }
}
