import { UnreadableFeed, type Background } from '../thread'
import { describeError, type Log } from '../platform/log'
import { mediaLimits, type MediaLimits } from './limits'
import type { MediaFacts } from './read'

export type MediaReader = ReturnType<typeof createMediaReader>

type Needs = { background: Background; log: Log; limits?: MediaLimits }

/** Has files read in the second thread: whatever is in them, nobody waits for it, and it is ended in time. */
export function createMediaReader({ background, log, limits = mediaLimits }: Needs) {
  return {
    /** A file that takes too long, or that its reader trips over, has no chapters for us. */
    async factsOf(path: string, type: string): Promise<MediaFacts> {
      const facts = await background.readMedia({ path, type, limits }).catch(error => {
        if (error instanceof UnreadableFeed) return { ...nothing, unread: 'too-slow' as const }
        log.warn('a media file could not be read', { path, error: describeError(error) })
        return nothing
      })
      if (facts.unread) log.warn('chapters were not read', { path, reason: facts.unread })
      return facts
    },
    /** The tag of an MP3 with a number before its title, see `numberTag`; null when it is to stay as it is. */
    numberTag: (path: string, number: string, title: string) => background.numberTag({ path, number, title, limits }),
  }
}

const nothing: MediaFacts = { duration: null, chapters: [], unread: null }
