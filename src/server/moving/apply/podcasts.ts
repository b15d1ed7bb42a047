import { allInherited, type PodcastSettingsRow } from '../../store/podcast-settings'
import { roundRate } from '../../../shared/limits'
import { replacementStrategies } from '../../../shared/choices'
import type { MoreRules, ItemOf } from '../item'
import { type Batch, leftOut, noteChange, type Outcome, present, taken, writesLibrary } from './batch'
import { requireFormat } from '../../downloads/names'
import { Problem } from '../../platform/problem'
import { playerChoiceOf } from '../../store/users'

export function applySubscription(batch: Batch, item: ItemOf<'subscription'>): Outcome {
  const { store, now, news } = batch
  const user = batch.userOf(item.user)
  if (!user) return leftOut('no-account')
  const podcastId = batch.podcastOf(item.feed)
  if (podcastId === null) return leftOut('podcast-left-out')
  if (!store.podcasts.favour(user.id, podcastId, true, item.at ?? now())) return present
  news.favoured.push({ userId: user.id, podcastId })
  noteChange(batch, 'subscription', { user_id: user.id, podcast_id: podcastId })
  return taken
}

/** Gives a podcast the tag of that name, which is made if there is none. */
export function applyTag(batch: Batch, item: ItemOf<'tag'>): Outcome {
  const { store } = batch
  const user = batch.userOf(item.user)
  if (!user) return leftOut('no-account')
  const podcastId = batch.podcastOf(item.feed)
  if (podcastId === null) return leftOut('podcast-left-out')
  const tag = requireTag(batch, user.id, item)
  if (!store.tags.assign(tag.id, podcastId)) return present
  noteChange(batch, 'tagged', { user_id: user.id, podcast_id: podcastId, other_id: tag.id })
  return taken
}

/** Finds the tag of a name, or makes it. */
export function requireTag(batch: Batch, userId: number, item: Pick<ItemOf<'tag'>, 'name' | 'color' | 'description'>) {
  const { store, now } = batch
  const name = item.name.slice(0, MAX_NAME)
  const known = store.tags.findByName(userId, name)
  const color = item.color ?? store.tags.nextColor(userId)
  const description = item.description?.slice(0, MAX_DESCRIPTION) ?? null
  const tag = known ?? store.tags.add(userId, { name, color, description }, now())
  if (!known) noteChange(batch, 'tag', { user_id: userId, other_id: tag.id })
  return tag
}

const MAX_NAME = 100
const MAX_DESCRIPTION = 1000

/** Applies how a person plays a podcast, unless they have set that here. */
export function applyPreference(batch: Batch, item: ItemOf<'preference'>): Outcome {
  const { store } = batch
  const user = batch.userOf(item.user)
  if (!user) return leftOut('no-account')
  const podcastId = batch.podcastOf(item.feed)
  if (podcastId === null) return leftOut('podcast-left-out')
  const known = store.podcastSettings.preferencesOf(user.id, podcastId)
  const { speed, boost, skipIntro, skipOutro, skipSilence, skipMarked, queueNew, form, notify, inTimeline } = known
  if (
    (speed ?? boost ?? skipSilence ?? queueNew ?? form ?? notify) !== null ||
    !inTimeline ||
    skipIntro > 0 ||
    skipOutro > 0 ||
    skipMarked
  )
    return present
  const before = store.moves.rowText('podcast_preference', { user_id: user.id, podcast_id: podcastId })
  store.podcastSettings.keepPreferences(user.id, podcastId, {
    speed: item.speed === null ? null : roundRate(item.speed),
    boost: item.volume === null ? null : Math.min(Math.max(0, Math.round(item.volume)), MAX_VOLUME),
    skipIntro: Math.min(item.skipIntro, MAX_SKIP),
    skipOutro: Math.min(item.skipOutro, MAX_SKIP),
    skipSilence: item.skipSilence ?? null,
    skipMarked: item.skipMarked ?? false,
    form: item.form ?? null,
    notify: item.notify ?? null,
    inTimeline: item.inTimeline ?? true,
    ...item.queue,
  })
  noteChange(batch, 'preference', { user_id: user.id, podcast_id: podcastId, before })
  return taken
}

const MAX_VOLUME = 300
const MAX_SKIP = 600

/** Applies the rules of a podcast, unless somebody has given it rules here. */
export function applyRules(batch: Batch, item: ItemOf<'rules'>): Outcome {
  const { store } = batch
  if (!writesLibrary(batch)) return leftOut('not-allowed')
  const podcastId = batch.podcastOf(item.feed)
  if (podcastId === null) return leftOut('podcast-left-out')
  const own = store.podcastSettings.of(podcastId)
  if (Object.values(own).some(value => value !== null)) return present
  const settings = {
    ...allInherited,
    ...(item.more && settingsOf(item.more)),
    ...item.own,
    auto_download: item.autoDownload === null ? null : Number(item.autoDownload),
    include: item.include?.slice(0, MAX_WORDS) ?? null,
    exclude: item.exclude?.slice(0, MAX_WORDS) ?? null,
  }
  if (Object.values(settings).every(value => value === null)) return present
  store.podcastSettings.keep(podcastId, settings)
  noteChange(batch, 'rules', { podcast_id: podcastId })
  return taken
}

const MAX_WORDS = 1000

const MAX_FORMAT = 200

/** Settings of a podcast as they are stored here. A value that nobody could set here is ignored. */
const settingsOf = (more: MoreRules): Partial<PodcastSettingsRow> => ({
  auto_update: flag(more.autoUpdate),
  auto_cleanup: flag(more.autoCleanup),
  auto_cleanup_days: within(more.autoCleanupDays, 1, 36_500),
  podcast_prefill: within(more.podcastPrefill, 0, 10_000),
  episode_numbering: flag(more.episodeNumbering),
  use_existing_filename: flag(more.useExistingFilename),
  replace_invalid_characters: flag(more.replaceInvalidCharacters),
  replacement_strategy: replacementStrategies.find(one => one === more.replacementStrategy) ?? null,
  direct_paths: flag(more.directPaths),
  episode_format: formatOf(more.episodeFormat, 'episode'),
  podcast_format: formatOf(more.podcastFormat, 'podcast'),
})

const flag = (value: boolean | null) => (value === null ? null : Number(value))

const within = (value: number | null, least: number, most: number) =>
  value !== null && Number.isInteger(value) && value >= least && value <= most ? value : null

function formatOf(format: string | null, kind: 'episode' | 'podcast'): string | null {
  if (format === null || format.length > MAX_FORMAT) return null
  try {
    requireFormat('', format, kind)
    return format
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

/** Chooses what the buttons and keys of the player do, each unless the person has chosen here. */
export function applyPlayerChoice(batch: Batch, { user: owner, choice }: ItemOf<'player-choice'>): Outcome {
  const { store } = batch
  const user = batch.userOf(owner)
  if (!user) return leftOut('no-account')
  const here = playerChoiceOf(store.users.find(user.id)!)
  const chosen = {
    back: (here.back === untouched.back && choice.back) || here.back,
    forward: (here.forward === untouched.forward && choice.forward) || here.forward,
    nextKey: (here.nextKey === untouched.nextKey && choice.nextKey) || here.nextKey,
    rewind: here.rewind && (choice.rewind ?? here.rewind),
    levelVolume: here.levelVolume || (choice.levelVolume ?? false),
  }
  if (JSON.stringify(chosen) === JSON.stringify(here)) return present
  store.users.setSkipLengths(user.id, chosen)
  noteChange(batch, 'player-choice', {
    user_id: user.id,
    before: JSON.stringify(here),
    after: JSON.stringify(chosen),
  })
  return taken
}

/** The choices of a new account. */
const untouched = { back: 30, forward: 30, nextKey: 'episode' } as const
