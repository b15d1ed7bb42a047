import { playbackRates } from '../../../shared/limits'
import { MAX_MARKS_PER_EPISODE, MAX_MARKS_PER_USER } from '../../library/marks'
import { HOUR, SECOND } from '../../platform/clock'
import { keepSmall } from '../../platform/engine'
import type { Segment } from '../../store/documents'
import { hasTranscript } from '../../store/episodes'
import type { PlaybackRow } from '../../store/playback'
import { MAX_SEGMENTS, MAX_SPEAKER, MAX_TEXT } from '../../texts/transcripts/segments'
import { writeVtt } from '../../texts/transcripts/cues'
import type { ItemOf, PositionItem } from '../item'
import {
  type Batch,
  findEpisode,
  findOrMake,
  leftOut,
  noteChange,
  type Outcome,
  present,
  taken,
  writesLibrary,
} from './batch'

/**
 * Applies a position by the source's own clock: the newest report wins. Without a time, any report of ours wins, and
 * the position counts as made when the episode appeared.
 */
export function applyPosition(batch: Batch, item: PositionItem): Outcome {
  const { store, playback } = batch
  if (item.position <= 0 && !item.finished) return leftOut('nothing-played')
  const user = batch.userOf(item.user)
  if (!user) return leftOut('no-account')
  const found = findOrMake(batch, item.episode)
  if ('reason' in found) return leftOut(found.reason)
  const episode = store.episodes.find(found.episodeId)!
  if (episode.explicit && !user.explicit_consent) return leftOut('hidden')
  const before = store.playback.find(user.id, episode.id)
  const at = item.at ?? episode.published_at
  if (before && (item.at === null || at <= before.updated_at)) return present
  const { row, finishedNow } = playback.write(user.id, episode, {
    position: Math.min(item.position, item.total ?? item.position),
    total: item.total,
    finished: item.finished,
    at,
    device: `import-${batch.move.source}`,
    isSettled: true,
  })
  if (finishedNow) dropFromQueue(batch, row)
  noteChange(batch, 'position', { user_id: user.id, episode_id: episode.id, before: beforeText(before) })
  noteNews(batch, row, finishedNow)
  return taken
}

/** A finished episode is removed from the queue here, so that undo finds its place. */
function dropFromQueue(batch: Batch, { user_id, episode_id }: PlaybackRow) {
  const { store, now, news } = batch
  const before = store.moves.rowText('queue_item', { user_id, episode_id })
  if (before === null) return
  const others = store.queue.idsOf(user_id).filter(id => id !== episode_id)
  news.queues.set(user_id, store.queue.replace(user_id, others, now()))
  noteChange(batch, 'unqueued', { user_id, episode_id, before })
}

const beforeText = (before: PlaybackRow | null) => before && JSON.stringify(before)

function noteNews(
  { news }: Batch,
  { user_id: userId, podcast_id: podcastId, episode_id: id }: PlaybackRow,
  ended: boolean,
) {
  news.positions
    .getOrInsertComputed(`${userId} ${podcastId}`, () => ({ userId, podcastId, episodeIds: [] }))
    .episodeIds.push(id)
  if (ended) news.finished.getOrInsertComputed(userId, () => []).push(id)
}

export function applyLike(batch: Batch, item: ItemOf<'like'>): Outcome {
  const { store, now } = batch
  const user = batch.userOf(item.user)
  if (!user) return leftOut('no-account')
  const found = findOrMake(batch, item.episode)
  if ('reason' in found) return leftOut(found.reason)
  if (store.episodes.likeAll(user.id, [found.episodeId], true, item.at ?? now()).length === 0) return present
  noteChange(batch, 'like', { user_id: user.id, episode_id: found.episodeId })
  return taken
}

export function applyBookmark(batch: Batch, item: ItemOf<'bookmark'>): Outcome {
  const { store, now } = batch
  const user = batch.userOf(item.user)
  if (!user) return leftOut('no-account')
  const found = findOrMake(batch, item.episode)
  if ('reason' in found) return leftOut(found.reason)
  const time = Math.max(0, Math.floor(item.time))
  if (store.bookmarks.ofEpisode(user, found.episodeId).some(known => known.time === time)) return present
  if (store.bookmarks.countFor(user.id) >= MAX_BOOKMARKS) return leftOut('too-many')
  const { id } = store.bookmarks.add(user.id, found.episodeId, { time, note: item.note }, item.at ?? now())
  noteChange(batch, 'bookmark', { user_id: user.id, episode_id: found.episodeId, other_id: id })
  return taken
}

const MAX_BOOKMARKS = 5000

/** Applies a mark unless the same part is already marked here. */
export function applySkipMark(batch: Batch, item: ItemOf<'skip-mark'>): Outcome {
  const { store, now } = batch
  const user = batch.userOf(item.user)
  if (!user) return leftOut('no-account')
  const found = findOrMake(batch, item.episode)
  if ('reason' in found) return leftOut(found.reason)
  const [startMs, endMs] = [Math.round(item.start * 1000), Math.round(item.end * 1000)]
  const known = store.skipMarks.ofEpisode(user, found.episodeId)
  if (known.some(mark => mark.start_ms === startMs && mark.end_ms === endMs)) return present
  if (known.length >= MAX_MARKS_PER_EPISODE || store.skipMarks.countFor(user.id) >= MAX_MARKS_PER_USER)
    return leftOut('too-many')
  const { id } = store.skipMarks.add(user.id, found.episodeId, { startMs, endMs, skip: item.skip }, item.at ?? now())
  noteChange(batch, 'skip-mark', { user_id: user.id, episode_id: found.episodeId, other_id: id })
  return taken
}

/** No rule downloads a file again that a person deleted. An existing file stays. */
export function applyRemoved(batch: Batch, item: ItemOf<'removed'>): Outcome {
  if (!writesLibrary(batch)) return leftOut('not-allowed')
  const found = findEpisode(batch, item.episode)
  if ('reason' in found && batch.isUnknown(item.episode.feed)) return taken
  if ('reason' in found) return leftOut(found.reason)
  const { id, removed, file_path } = batch.store.episodes.find(found.episodeId)!
  if (removed || file_path !== null) return present
  batch.store.episodes.markRemoved(id, true)
  noteChange(batch, 'removed', { episode_id: id })
  return taken
}

keepSmall(applyPosition)

/** Seconds that fit into an hour at the fastest rate. */
const MAX_SECONDS = (HOUR / SECOND) * Math.max(...playbackRates)

/**
 * Applies what somebody listened to within an hour: of that and what the statistics have for the hour, the greater
 * counts. So the same hour from another export of the same server, or from a phone that reported to both servers, is
 * not counted twice.
 */
export function applyListened(batch: Batch, item: ItemOf<'listened'>): Outcome {
  const { store } = batch
  const seconds = Math.min(Math.floor(item.seconds), MAX_SECONDS)
  if (!(seconds > 0)) return leftOut('nothing-played')
  const user = batch.userOf(item.user)
  if (!user) return leftOut('no-account')
  const found = findOrMake(batch, item.episode)
  if ('reason' in found) return leftOut(found.reason)
  const { podcastId, episodeId } = found
  if (store.episodes.find(episodeId)!.explicit && !user.explicit_consent) return leftOut('hidden')
  const hour = Math.floor(item.at / HOUR)
  const before = store.listened.find(user.id, hour, episodeId)
  const skipped = {
    saved: wholeWithin(item.skipped?.saved, seconds),
    trimmed: wholeWithin(item.skipped?.trimmed, seconds),
  }
  if (!store.listened.raise(user.id, hour, episodeId, podcastId, seconds, skipped)) return present
  noteChange(batch, 'listened', {
    user_id: user.id,
    episode_id: episodeId,
    other_id: hour,
    before: before && JSON.stringify(before),
  })
  return taken
}

const wholeWithin = (seconds: number | null | undefined, most: number): number | null =>
  seconds == null ? null : Math.min(Math.floor(seconds), most)

type TranscriptItem = ItemOf<'transcript'>

/** Stores a transcript that a program made, for an episode without one from its publisher. */
export function applyTranscript(batch: Batch, item: TranscriptItem): Outcome {
  const { store, now, news } = batch
  if (!writesLibrary(batch)) return leftOut('not-allowed')
  const segments = readSegments(item)
  if (segments.length === 0) return leftOut('empty')
  const found = findEpisode(batch, item.episode)
  if ('reason' in found && batch.isUnknown(item.episode.feed)) return taken
  if ('reason' in found) return leftOut(found.reason)
  const { episodeId } = found
  if (hasTranscript(store.episodes.find(episodeId)!)) return present
  const language = item.language?.slice(0, 35) ?? null
  const body = Buffer.from(writeVtt(segments))
  const id = store.documents.addGenerated(episodeId, { language, type: 'text/vtt', body, segments, model: null }, now())
  store.search.drop(episodeId)
  noteChange(batch, 'transcript', { episode_id: episodeId, other_id: id })
  news.texts.push(episodeId)
  return taken
}

const MAX_S = 1e6
const isTime = (seconds: number) => seconds >= 0 && seconds <= MAX_S
const milliseconds = (seconds: number) => Math.floor(seconds * SECOND)
const oneLine = (text: string, most: number) => text.replace(/\s+/g, ' ').trim().slice(0, most)

/** The segments within the bounds of any transcript, in order of time. */
const readSegments = ({ segments }: TranscriptItem): Segment[] =>
  segments
    .slice(0, MAX_SEGMENTS)
    .filter(({ start }) => isTime(start))
    .map(({ start, end, speaker, text }) => ({
      startMs: milliseconds(start),
      endMs: end !== null && isTime(end) && end > start ? milliseconds(end) : null,
      speaker: oneLine(speaker ?? '', MAX_SPEAKER) || null,
      text: oneLine(text, MAX_TEXT),
    }))
    .filter(({ text }) => text !== '')
    .sort((one, other) => one.startMs - other.startMs)
