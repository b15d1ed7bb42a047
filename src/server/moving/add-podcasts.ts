import { addUnread, type AddUnreadNeeds, noFacts } from '../feeds/subscribe'
import { findMeant } from '../feeds/fetch/address'
import { requireShare } from '../feeds/admission'
import { describeError } from '../platform/log'
import { Problem } from '../platform/problem'
import { isFolderAddress } from '../store/feeds'
import type { MovePodcastOutcome, MovePodcastRow, MoveRow } from '../store/moves'
import { allInherited, type PodcastSettingsRow } from '../store/podcast-settings'
import type { PodcastRow } from '../store/podcasts'
import type { UserRow } from '../store/users'
import { isBusy } from '../store/writing'
import type { FindPodcast } from '../sync/library'
import { type MovingNeeds, noteProgress } from './needs'

const FEEDS_AT_ONCE = 6
/** Refusals because of the address or the person, not because of the feed's current state. */
const final = new Set(['invalid-field', 'address-not-allowed', 'podcast-limit-reached', 'explicit-not-allowed'])

/** Adds the podcasts of a move that are still waiting, a few at a time, until `mayContinue` says no. */
export async function addPodcasts(needs: MovingNeeds, move: MoveRow, user: UserRow, mayContinue: () => boolean) {
  // Read once: reading every address of the library for each podcast would take far too long.
  const find = needs.addresses.finder()
  const waiting = needs.store.moves.podcastsOf(move.id).filter(({ state }) => state === 'waiting')
  const worker = async () => {
    for (let row = waiting.shift(); row && mayContinue(); row = waiting.shift()) {
      const outcome = await outcomeOf({ ...needs, find }, move, user, row)
      // A move that was cancelled in the meantime undoes what is noted.
      if (!mayContinue() && needs.store.moves.find(move.id)?.state !== 'undoing') return
      await needs.store.write(() => settle(needs, move, row, outcome))
      noteProgress(needs, move)
    }
  }
  await Promise.all(Array.from({ length: FEEDS_AT_ONCE }, worker))
}

type Adding = MovingNeeds & { find: FindPodcast }

async function outcomeOf(
  needs: Adding,
  move: MoveRow,
  user: UserRow,
  row: MovePodcastRow,
): Promise<MovePodcastOutcome> {
  try {
    const podcast = findKnown(needs, row) ?? (await add(needs, user, row))
    if (podcast.explicit && !user.explicit_consent) return refused('explicit-not-allowed', 'This podcast is explicit')
    return await outcomeFor(needs, move, user, podcast)
  } catch (error) {
    if (error instanceof Problem) return refused(error.code, error.message, error.args)
    if (isBusy(error)) {
      // Another process was writing.
      await needs.store.whenWritable()
      return outcomeOf(needs, move, user, row)
    }
    needs.log.error('A podcast could not be imported', { feed: row.feed_url, error: describeError(error) })
    return refused('unexpected', 'Internal error; the log has the details')
  }
}

/** A podcast also counts as added if that happened before a kill; then its first reading is completed. */
async function outcomeFor(needs: MovingNeeds, move: MoveRow, user: UserRow, found: PodcastRow) {
  const isAdded = found.added_by === user.id && found.id > move.last_podcast
  const isUnread = found.fetched_whole_at === null
  if (isUnread && isAdded && needs.readsFeeds) await needs.refresh.refresh(found.id)
  const podcast = needs.store.podcasts.find(found.id) ?? found
  if (!isAdded) return { ...noFailure, state: 'present', podcast_id: podcast.id } as const
  const isWhole = podcast.fetched_whole_at !== null || isFolderAddress(podcast.feed_url)
  const state = isWhole ? 'added' : 'unread'
  const { error_code, error_message: message } = podcast
  return { state, podcast_id: podcast.id, error_code, error_args: null, message } as const
}

export const noFailure = { error_code: null, error_args: null, message: null }

const refused = (
  error_code: MovePodcastOutcome['error_code'],
  message: string,
  args: Problem['args'] = {},
): MovePodcastOutcome => ({
  state: 'refused',
  podcast_id: null,
  error_code,
  error_args: JSON.stringify(args),
  message,
})

function findKnown({ store, find }: Adding, { feed_url, guid }: MovePodcastRow): PodcastRow | null {
  const found = find(feed_url)
  if (found) return store.podcasts.find(found.podcastId)
  return guid === null ? null : store.podcasts.findByGuid(guid)
}

/** Subscribes; a podcast whose feed does not answer is added without it. Throws `Problem`. */
async function add(needs: MovingNeeds, user: UserRow, row: MovePodcastRow): Promise<PodcastRow> {
  if (isFolderAddress(row.feed_url)) return addFolderPodcast(needs, user, row.feed_url, row.title ?? 'Files')
  const address = withCredentials(needs, row)
  if (!needs.readsFeeds) return addUnread(needs, user, address, row.title)
  try {
    // A podcast whose feed is not checked is not downloaded either.
    return await needs.subscribe(user, address, {
      evenUnplayable: true,
      source: 'import',
      ...(row.active === 0 && { firstDownloads: 0 }),
    })
  } catch (error) {
    if (!(error instanceof Problem) || final.has(error.code)) throw error
    const present = error.code === 'podcast-already-added' ? findMeant(needs.store, row.feed_url) : null
    return present ?? addUnread(needs, user, address, row.title)
  }
}

function withCredentials({ secret }: MovingNeeds, { feed_url, sealed }: MovePodcastRow): string {
  const url = URL.parse(feed_url)
  if (!url || sealed === null) return feed_url
  const { user, password } = JSON.parse(secret.open(sealed)) as { user: string; password: string }
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  return url.href
}

/** Notes the outcome, and a person's choices about a podcast that is new here. */
function settle({ store, now }: MovingNeeds, move: MoveRow, row: MovePodcastRow, outcome: MovePodcastOutcome) {
  const { state, podcast_id: id } = outcome
  const isNew = id !== null && state !== 'present'
  store.inTransaction(() => {
    store.moves.settlePodcast(move.id, row.place, outcome)
    store.moves.count(move.id, countOf(row, outcome))
    if (!isNew) return
    const feedTitle = store.podcasts.find(id)!.title
    noteAdded(store, move.id, id, { title: row.own_title, feedTitle, active: row.active })
    if (row.own_title !== null) store.podcasts.rename(id, row.own_title)
    if (row.active === 0) store.podcasts.setActive(id, false, now())
  })
}

/** Notes a podcast that the move has added, and the state in which it left it. */
export function noteAdded(store: MovingNeeds['store'], moveId: number, podcastId: number, added: AddedPodcast) {
  const change = { item: 0, kind: 'podcast', user_id: null, podcast_id: podcastId, episode_id: null, other_id: null }
  store.moves.noteChange(moveId, { ...change, before: null, after: JSON.stringify(added) })
}

/** `title`: the one that a person had given it; null = that of its feed. */
export type AddedPodcast = { title: string | null; feedTitle: string; active: number }

const countOf = ({ feed_url }: MovePodcastRow, { state, error_code }: MovePodcastOutcome) => ({
  feed_url,
  kind: 'podcasts',
  outcome:
    state === 'refused' ? ('left-out' as const) : state === 'present' ? ('present' as const) : ('taken' as const),
  reason: state === 'refused' ? (error_code ?? '') : '',
  total: 1,
})

/** Settings that a podcast without a feed begins with. */
export const settingsOfFolder: PodcastSettingsRow = { ...allInherited, auto_cleanup: 0 }

/**
 * Adds a podcast that is a folder of files. Its files exist nowhere else: no rule of the library deletes them, unless
 * somebody sets one for it. Throws `Problem` if the person may add no more.
 */
function addFolderPodcast(needs: AddUnreadNeeds, user: UserRow, address: string, title: string): PodcastRow {
  const { store, now } = needs
  const podcast = store.inTransaction((): PodcastRow => {
    requireShare(store, user, needs.podcastLimit)
    const folder = needs.folderFor({ ...noFacts, title, added_at: now() })
    const row = store.podcasts.add({ title, folder, feedUrl: address, privacy: 0, userId: user.id, now: now() })
    store.podcasts.setActive(row.id, false, now())
    store.podcastSettings.keep(row.id, settingsOfFolder)
    return row
  })
  needs.publish({ type: 'addedPodcast', podcastId: podcast.id, source: 'import' })
  return podcast
}
