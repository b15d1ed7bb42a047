import { MAX_SPEAKER, MAX_TEXT, MAX_SEGMENTS } from '../../texts/transcripts/segments'
import { SECOND } from '../../platform/clock'
import type { Segment } from '../../store/documents'
import { hasTranscript } from '../../store/episodes'
import { writeVtt } from '../../texts/write-vtt'
import type { OtherItem } from '../item'
import { findEpisode, leftOut, noteChange, present, taken, writesLibrary, type Batch, type Outcome } from './batch'

type TranscriptItem = Extract<OtherItem, { is: 'transcript' }>

/** Stores a transcript that a program made, for an episode to which its publisher gives none. */
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
