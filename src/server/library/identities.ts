import type { ForgottenFiles } from '../downloads/forgotten'
import type { Clock } from '../platform/clock'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'
import type { Refresh } from '../feeds/refresh'

type Needs = {
  store: Store
  refresh: Pick<Refresh, 'exclusively'>
  forgotten: Pick<ForgottenFiles, 'note' | 'removeUnlessTaken'>
  now: Clock
}

/**
 * Lets people say what the feed doesn't: that two episodes are one, or that one is two. Later readings respect that.
 */
export function createIdentities({ store, refresh, forgotten, now }: Needs) {
  /** Runs `change` while nobody reads the feed, in a transaction; throws what it throws. */
  async function settle<T>(podcastId: number, change: () => T): Promise<T> {
    let result: { value: T } | { error: unknown } | undefined
    await refresh.exclusively(podcastId, { isQuiet: true }, async () => {
      await store.whenWritable()
      try {
        result = { value: store.inTransaction(change) }
      } catch (error) {
        result = { error }
      }
      return { result: 'unchanged' }
    })
    if (!result) throw new Error('An episode could not be changed')
    if ('error' in result) throw result.error
    return result.value
  }

  return {
    /**
     * Makes two episodes of a podcast one: the older row stays, with what people did with either, and one file. Returns
     * its id. Throws `episode-not-found` unless the two are different episodes of one podcast.
     */
    async join({ id, podcast_id }: EpisodeRow, other: EpisodeRow): Promise<number> {
      const { kept, file } = await settle(podcast_id, () => {
        const rows = [id, other.id].toSorted((one, two) => one - two).map(row => store.episodes.find(row))
        const [older, newer] = rows
        if (!older || !newer || older === newer || older.id === newer.id || older.podcast_id !== newer.podcast_id)
          throw new Problem('episode-not-found', 'Both have to be episodes of the same podcast')
        // A trailer never describes the episode that it announces.
        const isDescribed = older.aside < newer.aside || (older.in_feed > newer.in_feed && older.aside === newer.aside)
        store.formerEpisodes.noteSame(isDescribed ? newer.id : older.id, now())
        const file = store.twins.merge(older.id, newer.id, isDescribed)
        store.formerEpisodes.markFirst(older.id)
        if (file) forgotten.note(file)
        return { kept: older.id, file }
      })
      if (file) await forgotten.removeUnlessTaken(file)
      return kept
    },

    /**
     * Makes two episodes of one that was published again, or that a person had merged. Returns the id of the new row.
     * Throws `episode-not-found` for an episode that can't be split.
     */
    split: ({ id, podcast_id }: EpisodeRow): Promise<number> =>
      settle(podcast_id, () => {
        const former = store.formerEpisodes.latestOf(id)
        if (!former) throw new Problem('episode-not-found', 'The episode has not been published again')
        const { splitNewer, splitSame } = store.formerEpisodes
        return former.kind === 'before' ? splitNewer(former, now()) : splitSame(former, now())
      }),
  }
}
