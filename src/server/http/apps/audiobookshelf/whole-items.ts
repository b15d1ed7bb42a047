import type { Context } from '../../../context'
import type { CatalogueEpisode, CataloguePodcast } from '../../../store/catalogue'
import type { Viewer } from '../../../store/visibility'
import { expandEpisode, type EpisodeOut } from './shapes/episode'
import { expandedItem, plainItem } from './shapes/item'
import type { LibraryIds } from './shapes/library'
import { createShownEpisodes } from './shown-episodes'

/** Episodes that are read and written at once: a millisecond or two of work. */
const PART = 100

/**
 * Podcasts with all of their episodes, which may be thousands: as parts of JSON, between which others have their turn.
 */
export function createWholeItems(app: Pick<Context, 'store'>, ids: LibraryIds) {
  const { show } = createShownEpisodes(app)

  async function* write(viewer: Viewer, podcast: CataloguePodcast, item: object, formOf: (one: EpisodeOut) => object) {
    // Within a text the quotes would be escaped: this is the key itself.
    const [before, behind] = JSON.stringify(item).split('"episodes":[]') as [string, string]
    yield `${before}"episodes":[`
    let separator = ''
    for await (const rows of partsOf(app.store, viewer, podcast.id)) {
      if (rows.length === 0) continue
      const episodes = show(rows, [podcast], true).map(({ episode }) => formOf(episode))
      yield separator + JSON.stringify(episodes).slice(1, -1)
      separator = ','
    }
    yield `]${behind}`
  }

  /** In its expanded form. `beside`: what follows the item. */
  const expandedParts = (viewer: Viewer, row: CataloguePodcast, beside: object = {}) =>
    write(viewer, row, { ...expandedItem(row, ids, []), ...beside }, expandEpisode)

  return {
    /** In its plain form. */
    plainParts: (viewer: Viewer, row: CataloguePodcast) => write(viewer, row, plainItem(row, ids, []), one => one),
    expandedParts,
    /** In its expanded form, as one text. */
    expandedJson: async (viewer: Viewer, row: CataloguePodcast): Promise<string> =>
      (await Array.fromAsync(expandedParts(viewer, row))).join(''),
  }
}

/** The episodes of a podcast in parts, the newest first. */
async function* partsOf({ catalogue }: Context['store'], viewer: Viewer, podcastId: number) {
  for (let after: CatalogueEpisode | undefined; ;) {
    const rows = catalogue.episodesOf(viewer, podcastId, { after, limit: PART, withNotes: true })
    yield rows
    if (rows.length < PART) return
    after = rows.at(-1)
    await new Promise(setImmediate)
  }
}
