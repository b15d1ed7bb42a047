import { signal } from '@preact/signals-core'
import type { ServerEvents } from '../../shared/server-event'

export type RoomState = ReturnType<typeof createRoomState>

/** Holds the server's message about a full disk; null = there is room. */
export function createRoomState() {
  const shortage = signal<ServerEvents['roomChanged'] | null>(null)
  return {
    shortage,
    changed(event: ServerEvents['roomChanged']) {
      shortage.value = event.isFull ? event : null
    },
    /** A new connection begins: the server says at once if its disk is full. */
    missed() {
      shortage.value = null
    },
  }
}
