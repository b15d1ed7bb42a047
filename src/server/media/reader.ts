import { describeError, type Log } from '../platform/log'
import { mediaLimits, type MediaLimits } from './limits'
import { TaskFailed, type Thread } from '../thread'
import type { NumberTagRequest, Tags, WriteTagsRequest, WrittenTag, WrittenTags } from './write-tags'
import type { MediaTags } from './id3'
import type { MediaFacts, MediaRequest } from './read'

/** Tasks of the second thread for media files. */
export type MediaTasks = {
  readMedia: { request: MediaRequest; result: MediaFacts }
  readTags: { request: MediaRequest; result: MediaTags }
  readPicture: { request: MediaRequest; result: Uint8Array | null }
  numberTag: { request: NumberTagRequest; result: WrittenTag | null }
  writeTags: { request: WriteTagsRequest; result: WrittenTags }
}

export type MediaReader = ReturnType<typeof createMediaReader>

type Needs = { thread: Thread<MediaTasks>; log: Log; limits?: MediaLimits }

/** Reads media files in the second thread, which ends what takes too long. */
export function createMediaReader({ thread, log, limits = mediaLimits }: Needs) {
  // A downloaded file doesn't wait for feeds: its episode becomes available once the file was read.
  const bounds = { timeoutMs: limits.timeoutMs, isUrgent: true }
  return {
    /** The facts of a file; empty for one that takes too long or makes the reader fail. */
    async factsOf(path: string, type: string): Promise<MediaFacts> {
      const facts = await thread.runUntrusted('readMedia', { path, type, limits }, bounds).catch(error => {
        if (error instanceof TaskFailed) return { ...nothing, unread: 'too-slow' as const }
        log.warn('Media file could not be read', { path, error: describeError(error) })
        return nothing
      })
      if (facts.unread) log.warn('Chapters not read', { path, reason: facts.unread })
      return facts
    },
    /** The tags of a file; null for one that takes too long or makes the reader fail. */
    tagsOf: (path: string, type: string): Promise<MediaTags | null> =>
      thread.runUntrusted('readTags', { path, type, limits }, bounds).catch(() => null),
    /** The picture in the tags of a file; null if there is none, or as in `tagsOf`. */
    pictureOf: (path: string, type: string): Promise<Uint8Array | null> =>
      thread.runUntrusted('readPicture', { path, type, limits }, bounds).catch(() => null),
    /** The tag of an MP3 with a number before its title, see `numberTag`; null when it should stay as it is. */
    numberTag: (path: string, number: string, title: string) =>
      thread.runUntrusted('numberTag', { path, number, title, limits }, bounds),
    /** The pieces of a file with other tags, see `writeTags`; rejects for one that takes too long. */
    writeTags: (path: string, type: string, tags: Tags) =>
      thread.runUntrusted('writeTags', { path, type, tags, limits }, bounds),
  }
}

const nothing: MediaFacts = { duration: null, isEstimate: false, hasVideo: null, chapters: [], unread: null }
