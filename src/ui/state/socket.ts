import { signal } from '@preact/signals-core'
import type { ServerEvent, ServerEvents } from '../../shared/server-event'

export type EventHandlers = { [T in keyof ServerEvents]: (event: ServerEvents[T]) => void }

const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 30_000

/** The code of a socket that the server closes because the sign-in has ended. */
const SIGN_IN_ENDED = 4401
/** The reason that it gives then where somebody has ended the session, such as from a list. */
const SESSION_ENDED = 'session ended'

type Socket = Pick<WebSocket, 'onopen' | 'onmessage' | 'onclose'>
type Needs = {
  address: string
  handlers: EventHandlers
  /** From here on no event is missed; earlier ones may have been. */
  onConnect: () => void
  /**
   * Checks before every attempt but the first that the sign-in is still valid, and renews the cookie. `isSignedOut`:
   * the server says that somebody ended this browser's session.
   */
  confirm: (isSignedOut: boolean) => Promise<boolean>
  open?: (address: string) => Socket
  later?: (work: () => void, ms: number) => unknown
}

/** Receives live events for as long as the page is there, and connects again after every gap. */
export function connectSocket({
  address,
  handlers,
  onConnect,
  confirm,
  open = url => new WebSocket(url),
  later = (work, ms) => setTimeout(work, ms),
}: Needs) {
  const isConnected = signal(true)
  let retryMs = FIRST_RETRY_MS

  async function reconnect(isSignedOut = false) {
    if (await confirm(isSignedOut)) connect()
    else retry()
  }

  function retry() {
    later(() => void reconnect(), retryMs)
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
  }

  function connect() {
    const socket = open(address)
    socket.onopen = () => {
      isConnected.value = true
      retryMs = FIRST_RETRY_MS
      onConnect()
    }
    socket.onmessage = message => {
      const event = JSON.parse(message.data as string) as ServerEvent
      const handler = handlers[event.type] as ((event: ServerEvent) => void) | undefined
      handler?.(event)
    }
    socket.onclose = ({ code, reason }) => {
      if (code === SIGN_IN_ENDED) return void reconnect(reason === SESSION_ENDED)
      isConnected.value = false
      retry()
    }
  }
  connect()
  return { isConnected }
}
