import { signal } from '@preact/signals-core'
import type { ServerEvent, ServerEvents } from '../../shared/server-event'

export type EventHandlers = { [T in keyof ServerEvents]: (event: ServerEvents[T]) => void }

const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 30_000

/** Live events. A connection that comes back may have missed some, so `onReconnect` fetches again. */
export function connectSocket(address: () => string, handlers: EventHandlers, onReconnect: () => void) {
  const isConnected = signal(true)
  let retryMs = FIRST_RETRY_MS
  let wasConnected = false

  function connect() {
    const socket = new WebSocket(address())
    socket.onopen = () => {
      isConnected.value = true
      retryMs = FIRST_RETRY_MS
      if (wasConnected) onReconnect()
      wasConnected = true
    }
    socket.onmessage = message => {
      const event = JSON.parse(message.data as string) as ServerEvent
      const handler = handlers[event.type] as ((event: ServerEvent) => void) | undefined
      handler?.(event)
    }
    socket.onclose = () => {
      isConnected.value = false
      setTimeout(connect, retryMs)
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
    }
  }
  connect()
  return { isConnected }
}
