import { effect, type ReadonlySignal, untracked } from '@preact/signals-core'
import { withSize } from '../api/client'

type Player = {
  current: ReadonlySignal<{ episode: { name: string; local_image_url: string }; podcastName: string } | null>
  isPlaying: ReadonlySignal<boolean>
  position: ReadonlySignal<number>
  duration: ReadonlySignal<number>
  rate: ReadonlySignal<number>
  resume: () => Promise<void>
  pause: () => void
  skip: (seconds: number) => void
  skipBack: () => void
  skipForward: () => void
  seek: (seconds: number) => void
}

/**
 * Shows what plays on the lock screen and headphones, and obeys their buttons and media keys. `next` does what the
 * user wants of the "next" key. Returns a function that ends it.
 */
export function announceToSystem(player: Player, session: MediaSession, next: () => void): () => void {
  const actions: [MediaSessionAction, MediaSessionActionHandler][] = [
    ['play', () => void player.resume()],
    ['pause', () => player.pause()],
    ['seekbackward', ({ seekOffset }) => (seekOffset ? player.skip(-seekOffset) : player.skipBack())],
    ['seekforward', ({ seekOffset }) => (seekOffset ? player.skip(seekOffset) : player.skipForward())],
    ['previoustrack', player.skipBack],
    ['nexttrack', next],
    ['seekto', ({ seekTime }) => seekTime !== undefined && player.seek(seekTime)],
  ]
  for (const [action, handler] of actions) handle(session, action, handler)
  const ends = [
    effect(() => showEpisode(player, session)),
    effect(() => showState(player, session)),
    effect(() => showPosition(player, session)),
  ]
  return () => {
    for (const end of ends) end()
    for (const [action] of actions) handle(session, action, null)
  }
}

function showEpisode({ current }: Player, session: MediaSession) {
  if (!current.value) {
    session.metadata = null
    return
  }
  const { episode, podcastName } = current.value
  const artwork = ([256, 512] as const).map(size => ({
    src: withSize(episode.local_image_url, size),
    sizes: `${size}x${size}`,
    type: 'image/webp',
  }))
  session.metadata = new MediaMetadata({ title: episode.name, artist: podcastName, artwork })
}

function showState({ current, isPlaying }: Player, session: MediaSession) {
  if (!current.value) session.playbackState = 'none'
  else session.playbackState = isPlaying.value ? 'playing' : 'paused'
}

function showPosition({ position, duration, rate }: Player, session: MediaSession) {
  if (duration.value > 0)
    session.setPositionState({
      duration: duration.value,
      position: Math.min(position.value, duration.value),
      playbackRate: rate.value,
    })
  else session.setPositionState()
}

/** Sets a button. Browsers support only some of them, and throw for the others. */
function handle(session: MediaSession, action: MediaSessionAction, handler: MediaSessionActionHandler | null) {
  try {
    session.setActionHandler(action, handler)
  } catch {
    // This browser has no such button.
  }
}

type OneTabPlayer = Pick<Player, 'isPlaying' | 'position' | 'pause'> & {
  continueAt: (seconds: number) => void
  current: ReadonlySignal<{ episode: { id: string } } | null>
}
/** A tab began to play, or was playing this episode until then, and had got that far. */
type TabMessage = { kind: 'playing' } | { kind: 'paused'; id: string; position: number }

/**
 * Makes only one tab play at a time: the one that began last. The others learn of it through the channel, and pause. If
 * one of them was further in the same episode, playing continues there.
 */
export function playInOneTab(
  player: OneTabPlayer,
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>,
) {
  const send = (message: TabMessage) => channel.postMessage(message)
  channel.addEventListener('message', event => {
    const message = (event as MessageEvent<TabMessage>).data
    const id = player.current.peek()?.episode.id
    if (message.kind === 'paused') {
      const isFurther = message.id === id && message.position > player.position.peek()
      if (isFurther && player.isPlaying.peek()) player.continueAt(message.position)
      return
    }
    const wasPlaying = player.isPlaying.peek()
    player.pause()
    if (wasPlaying && id !== undefined) send({ kind: 'paused', id, position: player.position.peek() })
  })
  effect(() => {
    if (player.isPlaying.value) untracked(() => send({ kind: 'playing' }))
  })
}
