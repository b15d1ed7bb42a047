import type { Thread } from '../thread'
import type { Copying } from './copy-for'
import { run } from './read-source'
import type { MoveTasks } from './tasks'

/** Copies a file into a folder of our own in another thread: it may be gigabytes. Throws `MoveRefused`. */
export async function copyInThread(newThread: () => Thread<MoveTasks>, copying: Copying): Promise<string> {
  const thread = newThread()
  try {
    return (await run(thread, 'copyMove', copying)).path
  } finally {
    await thread.close()
  }
}
