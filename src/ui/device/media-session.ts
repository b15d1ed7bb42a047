import { effect } from '@preact/signals-core'
import { withSize } from '../api/cover'
import { SKIP_SECONDS, type Player } from '../player/player'

/**
 * Tells the system what plays, for the lock screen, headphones and media keys, and does what they ask for. `playNext`
 * goes on with the queue. Answers what ends it.
 */
export function announceToSystem(player: Player, session: MediaSession, playNext: () => void): () => void {
  const actions: [MediaSessionAction, (details: MediaSessionActionDetails) => void][] = [
    ['play', () => void player.resume()],
    ['pause', () => player.pause()],
    ['seekbackward', ({ seekOffset = SKIP_SECONDS }) => player.skip(-seekOffset)],
    ['seekforward', ({ seekOffset = SKIP_SECONDS }) => player.skip(seekOffset)],
    ['previoustrack', player.skipBack],
    ['nexttrack', playNext],
    ['seekto', ({ seekTime }) => seekTime !== undefined && player.seek(seekTime)],
  ]
  for (const [action, handler] of actions) handle(session, action, handler)

  const endMetadata = effect(() => {
    const playing = player.current.value
    session.metadata = playing
      ? new MediaMetadata({
          title: playing.episode.name,
          artist: playing.podcastName,
          artwork: [
            { src: withSize(playing.episode.local_image_url, 256), sizes: '256x256', type: 'image/webp' },
            { src: withSize(playing.episode.local_image_url, 512), sizes: '512x512', type: 'image/webp' },
          ],
        })
      : null
  })
  const endState = effect(() => {
    if (!player.current.value) session.playbackState = 'none'
    else session.playbackState = player.isPlaying.value ? 'playing' : 'paused'
  })
  const endPosition = effect(() => {
    const duration = player.duration.value
    const position = Math.min(player.position.value, duration)
    if (duration > 0) session.setPositionState({ duration, position, playbackRate: player.rate.value })
    else session.setPositionState()
  })
  return () => {
    endMetadata()
    endState()
    endPosition()
    for (const [action] of actions) handle(session, action, null)
  }
}

/** Browsers know some of the actions only, and throw at the others. */
function handle(session: MediaSession, action: MediaSessionAction, handler: MediaSessionActionHandler | null) {
  try {
    session.setActionHandler(action, handler)
  } catch {
    // There is no such button then.
  }
}
