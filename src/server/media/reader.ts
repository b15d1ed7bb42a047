import { describeError, type Log } from '../platform/log'
import { mediaLimits, type MediaLimits } from './limits'
import { TaskFailed, type Thread } from '../thread'
import type { NumberTagRequest, WrittenTag } from './number-tag'
import type { MediaFacts, MediaRequest } from './read'

/** Tasks of the second thread for media files. */
export type MediaTasks = {
  readMedia: { request: MediaRequest; result: MediaFacts }
  numberTag: { request: NumberTagRequest; result: WrittenTag | null }
}

export type MediaReader = ReturnType<typeof createMediaReader>

type Needs = { thread: Thread<MediaTasks>; log: Log; limits?: MediaLimits }

/** Reads media files in the second thread, which ends what takes too long. */
export function createMediaReader({ thread, log, limits = mediaLimits }: Needs) {
  // A downloaded file waits for no feed: its episode becomes available once the file was read.
  const bounds = { timeoutMs: limits.timeoutMs, isUrgent: true }
  return {
    /** The facts of a file; empty for one that takes too long or that breaks the reader. */
    async factsOf(path: string, type: string): Promise<MediaFacts> {
      const facts = await thread.runUntrusted('readMedia', { path, type, limits }, bounds).catch(error => {
        if (error instanceof TaskFailed) return { ...nothing, unread: 'too-slow' as const }
        log.warn('Media file could not be read', { path, error: describeError(error) })
        return nothing
      })
      if (facts.unread) log.warn('Chapters not read', { path, reason: facts.unread })
      return facts
    },
    /** The tag of an MP3 with a number before its title, see `numberTag`; null when it should stay as it is. */
    numberTag: (path: string, number: string, title: string) =>
      thread.runUntrusted('numberTag', { path, number, title, limits }, bounds),
  }
}

const nothing: MediaFacts = { duration: null, chapters: [], unread: null }
