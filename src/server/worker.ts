import { openStore, type Store } from './store'
import { createWriteLock } from './store/write-lock'
import { createTasks, type Tasks } from './tasks'
import { serve } from './thread/serve'

/** First message to the second thread: the path of the database, and the memory of the lock that guards it. */
export type Setup = { database: string; lock: SharedArrayBuffer }

// Reading a feed leaves many times its size as garbage. The engine sizes its heap by the machine's memory and would let
// that pile up on a machine that has other work. A collection here keeps nobody waiting.
const COLLECT_EVERY_BYTES = 2 * 1024 * 1024
let bytesRead = 0

function collect(bytes: number) {
  bytesRead += bytes
  if (bytesRead < COLLECT_EVERY_BYTES) return
  bytesRead = 0
  Bun.gc(true)
}

// The build makes the engine reluctant to compile while the server starts; here code runs often.
Bun.unsafe.setJITPolicy(1)

serve<Tasks, Setup>(({ database, lock }) => {
  let library: Store | null = null
  const open = () => openStore(database, { lock: createWriteLock(lock), checkpointPages: 16_000 })
  return {
    tasks: createTasks(() => (library ??= open())),
    afterTask(task, request) {
      if (task === 'read') collect((request as Tasks['read']['request']).body.byteLength)
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
