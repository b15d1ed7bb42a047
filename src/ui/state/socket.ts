import { signal } from '@preact/signals-core'
import type { ServerEvent, ServerEvents } from '../../shared/server-event'

export type EventHandlers = { [T in keyof ServerEvents]: (event: ServerEvents[T]) => void }

const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 30_000

const SIGN_IN_ENDED = 4401

type Needs = {
  address: string
  handlers: EventHandlers
  /** From here on nothing is missed; what happened before may have been. */
  onConnect: () => void
  /** Before every attempt but the first: whether the sign-in still stands, and a cookie is there. */
  confirm: () => Promise<boolean>
}

/** Live events, for as long as the page is there. */
export function connectSocket({ address, handlers, onConnect, confirm }: Needs) {
  const isConnected = signal(true)
  let retryMs = FIRST_RETRY_MS

  async function reconnect() {
    if (await confirm()) connect()
    else retry()
  }

  function retry() {
    setTimeout(() => void reconnect(), retryMs)
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
  }

  function connect() {
    const socket = new WebSocket(address)
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
    socket.onclose = ({ code }) => {
      if (code === SIGN_IN_ENDED) return void reconnect()
      isConnected.value = false
      retry()
    }
  }
  connect()
  return { isConnected }
}
