import { createMoveTasks, ITEMS_AT_ONCE, type MoveTasks } from './moving/tasks'
import { confine } from './platform/confine'
import { collectGarbage } from './platform/engine'
import type { ReaderSetup } from './start-reader'
import { serveParent } from './thread'

// Why: docs/internals/decisions/0058

// The process that reads what other people made; see `startReader`.

/** Garbage that reading an item of another program leaves, in bytes. */
const LEFT_BEHIND_BY_ITEM = 8000

// The build delays compiling while the server starts; here code runs often.
Bun.unsafe.setJITPolicy(1)

serveParent<MoveTasks, ReaderSetup>(limits => {
  confine(limits)
  return {
    tasks: createMoveTasks(),
    afterTask(task) {
      if (task === 'readItems') collectGarbage(ITEMS_AT_ONCE * LEFT_BEHIND_BY_ITEM)
    },
  }
})
