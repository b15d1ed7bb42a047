import { collectGarbage } from './platform/engine'
import { openStore, type Store } from './store'
import { createWriteLock } from './store/writing'
import { createTasks, type Tasks } from './tasks'
import { serve } from './thread'

/** A body leaves little itself; what was read of it was noted. */
const KEPT_IN_ONE_PIECE = 12
/** Garbage that reading a media file leaves, in bytes. */
const LEFT_BEHIND_BY_MEDIA = 200_000

/** First message to the second thread: the path of the database, and the memory of the lock that guards it. */
export type Setup = { database: string; lock: SharedArrayBuffer; minPauseMs: number }

// The build delays compiling while the server starts; here code runs often.
Bun.unsafe.setJITPolicy(1)

serve<Tasks, Setup>(({ database, lock, minPauseMs }) => {
  let library: Store | null = null
  const open = () => openStore(database, { lock: createWriteLock(lock), checkpointPages: 16_000, minPauseMs })
  return {
    tasks: createTasks(() => (library ??= open())),
    afterTask(task, request) {
      if (task === 'digestFeed')
        collectGarbage(release((request as Tasks['digestFeed']['request']).body) / KEPT_IN_ONE_PIECE)
      if (task === 'readMedia' || task === 'continueCut') collectGarbage(LEFT_BEHIND_BY_MEDIA)
    },
    rest() {
      library?.shrink()
      Bun.gc(true)
    },
    close() {
      library?.close()
      library = null
    },
  }
})

/** Frees the memory of a body at once; returns its size. */
function release({ buffer, byteLength }: Uint8Array<ArrayBuffer>): number {
  buffer.transfer(0)
  return byteLength
}
