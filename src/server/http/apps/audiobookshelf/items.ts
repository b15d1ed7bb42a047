import type { Context } from '../../../context'
import type { CatalogueEpisode, CataloguePodcast } from '../../../store/catalogue'
import type { Viewer } from '../../../store/visibility'
import { forbidden, notFound } from './protocol'
import { expandEpisode, presentEpisode, type EpisodeOut } from './shapes/episode'
import { expandedItem, minifiedItem, plainItem } from './shapes/item'
import { libraryIdsOf } from './shapes/library'
import { plainMedia } from './shapes/media'

export type Items = ReturnType<typeof createItems>

type Amount = {
  /** The newest episodes; all unless it is given. */
  limit?: number
  /** The uuid of an episode that has to be among them. */
  episode?: string
  /** Without them, episodes have their subtitle only. */
  withNotes?: boolean
}

/** Episodes that are read and written at once: a few milliseconds of work. */
const PART = 250

/** Podcasts and episodes in the forms of the protocol, as far as their viewer may see them. */
export function createItems(app: Pick<Context, 'store'>) {
  const { catalogue, chapters } = app.store
  const ids = libraryIdsOf(app)

  /** A podcast by its uuid. Throws `AppRefusal`: 404 where there is none, 403 where it is hidden from the viewer. */
  function requirePodcast(viewer: Viewer, uuid: string): CataloguePodcast {
    const id = catalogue.podcastId(uuid)
    if (id === null) throw notFound()
    const [row] = catalogue.podcasts(viewer, [id])
    if (!row) throw forbidden()
    return row
  }

  /** An episode of a podcast, by their uuids. Throws as `requirePodcast`. */
  function requireEpisode(viewer: Viewer, podcast: string, uuid: string): CatalogueEpisode {
    const { id } = requirePodcast(viewer, podcast)
    const found = catalogue.episodeIds(uuid)
    if (found?.podcast_id !== id) throw notFound()
    const [row] = catalogue.episodes(viewer, [found.id], true)
    if (!row) throw forbidden()
    return row
  }

  /** Episodes in their plain form, with their chapters. */
  function present(rows: readonly CatalogueEpisode[], withNotes: boolean): EpisodeOut[] {
    const own = chapters.bestOf(rows.filter(row => row.has_own_chapters).map(row => row.id))
    return rows.map(row => presentEpisode(row, own.get(row.id) ?? [], withNotes))
  }

  /** Podcasts in their minified form, by their rows; `withIncomplete` adds how many episodes are not finished. */
  const minified = (viewer: Viewer, podcastIds: readonly number[], { withIncomplete = false } = {}) =>
    catalogue.podcasts(viewer, podcastIds).map(row => ({
      ...minifiedItem(row, ids),
      ...(withIncomplete && { numEpisodesIncomplete: row.visible_count - row.finished_count }),
    }))

  /** Episodes without their notes, and by its row the podcast of each. */
  function withTheirs(viewer: Viewer, episodeIds: readonly number[]) {
    const rows = catalogue.episodes(viewer, episodeIds, false)
    const podcasts = catalogue.podcasts(viewer, [...new Set(rows.map(row => row.podcast_id))])
    return { rows, episodes: present(rows, false).map(expandEpisode), podcasts }
  }

  /** The item of each episode, made by `itemOf` once for each podcast, with the episode beside it. */
  function besideItems<Item>(viewer: Viewer, episodeIds: readonly number[], itemOf: (row: CataloguePodcast) => Item) {
    const { rows, episodes, podcasts } = withTheirs(viewer, episodeIds)
    const items = new Map(podcasts.map(row => [row.id, itemOf(row)]))
    return rows.flatMap(({ id, podcast_id }, index) => {
      const item = items.get(podcast_id)
      return item ? [{ id, item: { ...item, recentEpisode: episodes[index]! } }] : []
    })
  }

  /** The newest episodes of a podcast, and a certain one. */
  function newest(viewer: Viewer, { id, uuid }: CataloguePodcast, { limit, episode, withNotes }: Required<Amount>) {
    const rows = catalogue.episodesOf(viewer, id, { limit, withNotes })
    if (episode === '' || rows.some(row => row.uuid === episode)) return rows
    return [requireEpisode(viewer, uuid, episode), ...rows]
  }

  /** Writes an item with all of its episodes, in parts: other requests are answered in between. */
  async function write(viewer: Viewer, { id }: CataloguePodcast, item: object, expand: (one: EpisodeOut) => object) {
    const texts: string[] = []
    let after: CatalogueEpisode | undefined
    do {
      if (after) await new Promise(setImmediate)
      const rows = catalogue.episodesOf(viewer, id, { after, limit: PART, withNotes: true })
      if (rows.length > 0) texts.push(JSON.stringify(present(rows, true).map(expand)).slice(1, -1))
      after = rows.length === PART ? rows.at(-1) : undefined
    } while (after)
    // Within a text the quotes would be escaped: this is the key itself.
    const [before, behind] = JSON.stringify(item).split('"episodes":[]') as [string, string]
    return `${before}"episodes":[${texts.join(',')}]${behind}`
  }

  return {
    ids,
    requirePodcast,
    requireEpisode,
    minified,
    /** Episodes in their plain form, by their rows and in that order. */
    plainEpisodes: (viewer: Viewer, episodeIds: readonly number[], { withNotes = true }: Amount = {}) =>
      present(catalogue.episodes(viewer, episodeIds, withNotes), withNotes),
    /** Episodes in their expanded form, by their rows and in that order. */
    expandedEpisodes: (viewer: Viewer, episodeIds: readonly number[], { withNotes = true }: Amount = {}) =>
      present(catalogue.episodes(viewer, episodeIds, withNotes), withNotes).map(expandEpisode),
    /** An episode in its plain form. Throws `AppRefusal`: 404 or 403. */
    episodeOf: (viewer: Viewer, podcast: string, episode: string): EpisodeOut =>
      present([requireEpisode(viewer, podcast, episode)], true)[0]!,
    /** The minified item of each episode, by their rows, with the episode beside it. */
    withEpisodes: (viewer: Viewer, episodeIds: readonly number[]) =>
      besideItems(viewer, episodeIds, row => minifiedItem(row, ids)),
    /** The same with expanded items, which have no episodes of their own. */
    withExpandedItems: (viewer: Viewer, episodeIds: readonly number[]) =>
      besideItems(viewer, episodeIds, row => expandedItem(row, ids, [])).map(({ item }) => item),
    /** Expanded episodes, by their rows, each with its podcast's media. */
    withPodcasts(viewer: Viewer, episodeIds: readonly number[]) {
      const { rows, episodes, podcasts } = withTheirs(viewer, episodeIds)
      const media = new Map(podcasts.map(row => [row.id, plainMedia(row, [])]))
      return rows.flatMap(({ podcast_id }, index) => {
        const podcast = media.get(podcast_id)
        return podcast ? [{ ...episodes[index]!, podcast, libraryId: ids.libraryId }] : []
      })
    },
    /** Expanded items without their episodes, by the rows of their podcasts. */
    withoutEpisodes: (viewer: Viewer, podcastIds: readonly number[]) =>
      catalogue.podcasts(viewer, podcastIds).map(row => expandedItem(row, ids, [])),
    /** The podcasts among these uuids that the viewer may see, in their order. */
    podcastsAmong: (viewer: Viewer, uuids: readonly string[]): CataloguePodcast[] =>
      catalogue.podcasts(
        viewer,
        [...new Set(uuids)].flatMap(uuid => catalogue.podcastId(uuid) ?? []),
      ),
    /** A podcast in its plain form with all of its episodes, as JSON. */
    plainJson: (viewer: Viewer, row: CataloguePodcast) => write(viewer, row, plainItem(row, ids, []), one => one),
    /** A podcast in its expanded form with all of its episodes, as JSON. `beside`: what follows the item. */
    expandedJson: (viewer: Viewer, row: CataloguePodcast, beside: object = {}) =>
      write(viewer, row, { ...expandedItem(row, ids, []), ...beside }, expandEpisode),
    /** A podcast in its expanded form, with as many episodes as are wanted; many of them belong into `expandedJson`. */
    expanded(viewer: Viewer, row: CataloguePodcast, { limit = 100, episode = '', withNotes = true }: Amount = {}) {
      const rows = limit === 0 ? [] : newest(viewer, row, { limit, episode, withNotes })
      return expandedItem(row, ids, present(rows, withNotes).map(expandEpisode))
    },
  }
}
