import { nextKeys, preferredForms, queuePlaces } from '../../../shared/choices'
import { skipSeconds } from '../../../shared/limits'
import type { Item } from '../item'
import { createAttribution, readOwn, readPlaces, readStates } from './portcast-episodes'
import { membersOf, readHead, type PortcastHead, type PortcastPodcast } from './portcast-head'
import { isTrue, number, seconds, type Source, type SourceFile, text, time } from './source'

/**
 * The open format for everything of a listener (draft-trimplayer-portcast-00), which Castellan writes itself. Whatever
 * a document says of its completeness, a move deletes nothing.
 */
export const portcast: Source = {
  name: 'portcast',
  title: 'PortCast',
  isFile: true,
  recognise: ({ db, head }) => db === null && /^\uFEFF?\s*\{/.test(head) && /"portcast"\s*:\s*"/.test(head),
  read,
}

async function* read({ path, now }: SourceFile): AsyncGenerator<Item> {
  const head = readHead(path)
  for (const { feed, title, guid, own } of head.podcasts.values())
    yield {
      is: 'podcast',
      feed,
      title,
      guid,
      ownTitle: text(own['ownTitle'], 500),
      active: own['active'] !== false,
      credentials: credentialsOf(own),
    }
  yield* readPodcasts(head, now)
  const attribution = createAttribution(head)
  // First, since it holds the notes of which old episodes are made.
  if (head.isOwn) yield* readOwn(path, now)
  yield* readStates(path, head, attribution, now)
  yield* readPlaces(head, attribution, now)
  // Last, so that a move which an earlier version began continues at the same item.
  yield* readPlayer(head)
}

function* readPodcasts(head: PortcastHead, now: number): Generator<Item> {
  for (const podcast of head.podcasts.values()) {
    const { feed, tags } = podcast
    if (podcast.isSubscribed)
      yield { is: 'subscription', user: null, feed, at: time(podcast.subscribedAt, 'text', now) }
    for (const name of tags) yield { is: 'tag', user: null, feed, name, ...head.tags.get(name) }
    yield* readPreferences(podcast)
  }
  for (const _ of head.withoutFeed) yield { is: 'left-out', kind: 'podcasts', reason: 'not-on-the-web', feed: null }
}

/** A length that the buttons don't have becomes the nearest one that they have. */
function skipOf(value: unknown): (typeof skipSeconds)[number] | null {
  const wish = seconds(value)
  if (wish === null || wish === 0) return null
  return skipSeconds.reduce((best, one) => (Math.abs(one - wish) < Math.abs(best - wish) ? one : best))
}

function* readPlayer({ global, player }: PortcastHead): Generator<Item> {
  const choice = {
    back: skipOf(global['skipBackwardSeconds']),
    forward: skipOf(global['skipForwardSeconds']),
    nextKey: nextKeys.find(known => known === player['nextKey']) ?? null,
    rewind: typeof player['rewind'] === 'boolean' ? player['rewind'] : null,
    levelVolume: typeof player['levelVolume'] === 'boolean' ? player['levelVolume'] : null,
  }
  if (Object.values(choice).some(value => value !== null)) yield { is: 'player-choice', user: null, choice }
}

function* readPreferences({ feed, preferences, own, rules }: PortcastPodcast): Generator<Item> {
  const { playbackRate, skipIntroSeconds, skipOutroSeconds, autoDownload } = preferences
  const speed = number(playbackRate)
  const volume = number(own['volumePercent'])
  const [skipIntro, skipOutro] = [seconds(skipIntroSeconds) ?? 0, seconds(skipOutroSeconds) ?? 0]
  const queue = readQueueing(own)
  const skipMarked = own['skipMarked'] === true
  const form = preferredForms.find(known => known === own['form']) ?? null
  const skips = { skipIntro, skipOutro, skipMarked }
  const notify = typeof own['notify'] === 'boolean' ? own['notify'] : null
  const skipSilence = typeof own['skipSilence'] === 'boolean' ? own['skipSilence'] : null
  const isOut = own['inTimeline'] === false
  if (
    (speed ?? volume ?? skipSilence ?? form ?? notify) !== null ||
    skipIntro > 0 ||
    skipOutro > 0 ||
    skipMarked ||
    isOut ||
    queue
  )
    yield {
      is: 'preference',
      user: null,
      feed,
      speed,
      volume,
      ...skips,
      ...(skipSilence !== null && { skipSilence }),
      ...(form && { form }),
      ...(notify !== null && { notify }),
      ...(isOut && { inTimeline: false }),
      ...(queue && { queue }),
    }
  const downloads =
    typeof autoDownload === 'boolean' ? autoDownload : rules.auto_download == null ? null : isTrue(rules.auto_download)
  if (downloads === null && Object.keys(rules).length === 0) return
  const { include = null, exclude = null } = rules
  yield { is: 'rules', feed, autoDownload: downloads, include, exclude, own: rules }
}

function readQueueing({ queueNew, queueMost }: PortcastPodcast['own']) {
  const place = queuePlaces.find(one => one === queueNew)
  if (!place) return null
  const most = Math.round(number(queueMost) ?? 3)
  return { queueNew: place, queueMost: Math.min(Math.max(1, most), MAX_WAITING) } as const
}

const MAX_WAITING = 100

function credentialsOf(own: PortcastPodcast['own']) {
  const { user, password } = membersOf(own['credentials'])
  return typeof user === 'string' && typeof password === 'string' ? { user, password } : null
}
