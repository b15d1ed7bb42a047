import { collectGarbage } from './platform/garbage'
import { openStore, type Store } from './store'
import { createWriteLock } from './store/write-lock'
import { createTasks, type Tasks } from './tasks'
import { serve } from './thread/serve'

/** First message to the second thread: the path of the database, and the memory of the lock that guards it. */
export type Setup = { database: string; lock: SharedArrayBuffer }

// The build makes the engine reluctant to compile while the server starts; here code runs often.
Bun.unsafe.setJITPolicy(1)

serve<Tasks, Setup>(({ database, lock }) => {
  let library: Store | null = null
  const open = () => openStore(database, { lock: createWriteLock(lock), checkpointPages: 16_000 })
  return {
    tasks: createTasks(() => (library ??= open())),
    afterTask(task, request) {
      if (task === 'read') collectGarbage((request as Tasks['read']['request']).body.byteLength)
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
