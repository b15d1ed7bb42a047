import type { Context } from '../../../context'
import type { CatalogueEpisode, CataloguePodcast } from '../../../store/catalogue'
import type { Viewer } from '../../../store/visibility'
import { forbidden, includes, notFound } from './protocol'
import { type EpisodeOut, expandEpisode, presentEpisode } from './shapes/episode'
import { expandedMedia, type LibraryIds, libraryIdsOf, minifiedMedia, plainMedia } from './shapes/library'
import { presentFile } from './shapes/file'

export type Items = ReturnType<typeof createItems>

export type Amount = {
  /** The newest episodes; a hundred unless it is given, where it concerns whole podcasts all. */
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
    /** The expanded item of each episode, by their rows, without the episode next to it. */
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

/** An episode with the uuid of its podcast. */
type FoundEpisode = CatalogueEpisode & { podcast_uuid: string }

/** Finds what an app names. Both throw `AppRefusal`: 404 if it does not exist, 403 if it is hidden. */
function createLookup({ store: { catalogue } }: Pick<Context, 'store'>) {
  /** A podcast by its uuid. */
  function requirePodcast(viewer: Viewer, uuid: string): CataloguePodcast {
    const id = catalogue.podcastId(uuid)
    if (id === null) throw notFound()
    const [row] = catalogue.podcasts(viewer, [id])
    if (!row) throw forbidden()
    return row
  }

  /** An episode of a podcast, by their uuids. */
  function requireEpisode(viewer: Viewer, podcast: string, uuid: string): FoundEpisode {
    const { id } = requirePodcast(viewer, podcast)
    const found = catalogue.episodeIds(uuid)
    if (found?.podcast_id !== id) throw notFound()
    const [row] = catalogue.episodes(viewer, [found.id], true)
    if (!row) throw forbidden()
    return { ...row, podcast_uuid: podcast }
  }

  return { requirePodcast, requireEpisode }
}

/** Episodes that are read and written at once: a millisecond or two of work. */
const PART = 100

/**
 * Podcasts with all of their episodes, which may be thousands: as parts of JSON, between which others have their turn.
 */
function createWholeItems(app: Pick<Context, 'store'>, ids: LibraryIds) {
  const { show } = createShownEpisodes(app)

  async function* write(
    viewer: Viewer,
    podcast: CataloguePodcast,
    item: object,
    formOf: (one: EpisodeOut) => object,
    { withNotes = true, limit = Number.POSITIVE_INFINITY }: Amount = {},
  ) {
    // Within a text the quotes would be escaped: this is the key itself.
    const [before, behind] = JSON.stringify(item).split('"episodes":[]') as [string, string]
    yield `${before}"episodes":[`
    let separator = ''
    for await (const rows of partsOf(app.store, viewer, podcast.id, { withNotes, limit })) {
      if (rows.length === 0) continue
      const episodes = show(rows, [podcast], withNotes).map(({ episode }) => formOf(episode))
      yield separator + JSON.stringify(episodes).slice(1, -1)
      separator = ','
    }
    yield `]${behind}`
  }

  /** In its expanded form. `more`: further fields. */
  const expandedParts = (viewer: Viewer, row: CataloguePodcast, more: object = {}, amount?: Amount) =>
    write(viewer, row, { ...expandedItem(row, ids, []), ...more }, expandEpisode, amount)

  return {
    /** In its plain form. */
    plainParts: (viewer: Viewer, row: CataloguePodcast) => write(viewer, row, plainItem(row, ids, []), one => one),
    expandedParts,
    /** In its expanded form, as one text; null as soon as that gets longer than `most` characters. */
    async expandedJson(viewer: Viewer, row: CataloguePodcast, most: number, amount?: Amount): Promise<string | null> {
      let text = ''
      for await (const part of expandedParts(viewer, row, {}, amount)) {
        text += part
        if (text.length > most) return null
      }
      return text
    },
  }
}

/** The episodes of a podcast in parts, the newest first. */
async function* partsOf(
  { catalogue }: Context['store'],
  viewer: Viewer,
  podcastId: number,
  { withNotes, limit: most }: { withNotes: boolean; limit: number },
) {
  let after: CatalogueEpisode | undefined
  for (let left = most; ;) {
    const rows = catalogue.episodesOf(viewer, podcastId, { after, limit: Math.min(PART, left), withNotes })
    yield rows
    left -= rows.length
    if (rows.length < PART || left <= 0) return
    after = rows.at(-1)
    await new Promise(setImmediate)
  }
}

/** An episode in its plain form, with the rows that it was made of. */
type ShownEpisode = { row: CatalogueEpisode; podcast: CataloguePodcast; episode: EpisodeOut }

/** Shows episodes in their plain form, with their chapters. */
function createShownEpisodes({ store: { catalogue, chapters } }: Pick<Context, 'store'>) {
  /** Episodes of these podcasts. */
  function show(rows: readonly CatalogueEpisode[], podcasts: readonly CataloguePodcast[], withNotes: boolean) {
    const own = chapters.bestOf(rows.filter(row => row.has_own_chapters).map(row => row.id))
    const byId = new Map(podcasts.map(row => [row.id, row]))
    return rows.flatMap((row): ShownEpisode[] => {
      const podcast = byId.get(row.podcast_id)
      return podcast ? [{ row, podcast, episode: presentEpisode(row, podcast, own.get(row.id) ?? [], withNotes) }] : []
    })
  }

  /** Episodes by their rows, in that order, as far as their viewer may see them. */
  function showThose(viewer: Viewer, episodeIds: readonly number[], withNotes: boolean) {
    const rows = catalogue.episodes(viewer, episodeIds, withNotes)
    return show(rows, catalogue.podcasts(viewer, [...new Set(rows.map(row => row.podcast_id))]), withNotes)
  }

  return { show, showThose }
}

/** Everything of an item that comes before its media. */
function headOf(row: CataloguePodcast, { libraryId, folderId }: LibraryIds) {
  const at = changedAt(row)
  return {
    id: row.uuid,
    ino: row.uuid,
    oldLibraryItemId: null,
    libraryId,
    folderId,
    path: `/podcasts/${row.folder}`,
    relPath: row.folder,
    isFile: false,
    mtimeMs: at,
    ctimeMs: at,
    birthtimeMs: row.added_at,
    addedAt: row.added_at,
    updatedAt: at,
    isMissing: false,
    isInvalid: false,
    mediaType: 'podcast',
  }
}

/** When the episodes or the cover of a podcast changed last: apps ask for the cover again by it. */
const changedAt = (row: CataloguePodcast) => Math.max(row.added_at, row.visible_last_at ?? 0, row.cover_at ?? 0)

/** Nothing here is found by scanning folders. */
const unscanned = { lastScan: null, scanVersion: null }

/** A podcast in a list. */
export const minifiedItem = (row: CataloguePodcast, ids: LibraryIds) => ({
  ...headOf(row, ids),
  media: minifiedMedia(row),
  numFiles: row.visible_files,
  size: row.visible_bytes,
})

/** A podcast with its episodes in their plain form. */
export const plainItem = <Episode>(row: CataloguePodcast, ids: LibraryIds, episodes: readonly Episode[]) => ({
  ...headOf(row, ids),
  ...unscanned,
  media: plainMedia(row, episodes),
  libraryFiles: libraryFilesOf(row),
})

/** A podcast with its episodes in their expanded form. */
export const expandedItem = <Episode>(row: CataloguePodcast, ids: LibraryIds, episodes: readonly Episode[]) => ({
  ...headOf(row, ids),
  ...unscanned,
  media: expandedMedia(row, episodes),
  libraryFiles: libraryFilesOf(row),
  size: row.visible_bytes,
})

/** The cover alone: apps look there for its size, and find the files of episodes in the episodes. */
const libraryFilesOf = (row: CataloguePodcast) => [
  {
    ino: `cover-${row.uuid}`,
    metadata: presentFile(row.folder, 'cover.jpg', '.jpg', 0, changedAt(row)),
    isSupplementary: null,
    addedAt: row.added_at,
    updatedAt: changedAt(row),
    fileType: 'image',
  },
]
