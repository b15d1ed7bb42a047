import { createHidden } from './hidden'
import { createPlayback } from './playback'
import { createPlaySessions } from './sessions'

type Needs = Parameters<typeof createPlayback>[0] &
  Omit<Parameters<typeof createPlaySessions>[0], 'playback'> &
  Parameters<typeof createHidden>[0]

/** Creates everything that keeps where people are in what they play. */
export function createPlaying(needs: Needs) {
  const playback = createPlayback(needs)
  return { playback, playSessions: createPlaySessions({ ...needs, playback }), hide: createHidden(needs) }
}
