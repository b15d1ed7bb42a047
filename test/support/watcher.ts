import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'

// Run as a process of its own: kills another one with SIGKILL at the moment at which it works on a kind of item.
// Arguments: the database and the kind. Says when it is ready, reads the process from its input, and ends with it: on a
// busy machine it would start too late for work that takes a moment.

const [path, kind] = process.argv.slice(2) as [string, string]
process.stdout.write('ready\n')
const pid = (await console[Symbol.asyncIterator]().next()).value

function isAlive() {
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}

function openOnceMade(): Database | null {
  while (isAlive())
    try {
      if (!existsSync(path)) {
        Bun.sleepSync(1)
        continue
      }
      const db = new Database(path, { readonly: true })
      db.query('SELECT 1 FROM begun_work').get()
      return db
    } catch {
      // It is being made.
      Bun.sleepSync(1)
    }
  return null
}

const nothing = new Int32Array(new SharedArrayBuffer(4))
using db = openOnceMade()
const running = db?.query('SELECT 1 FROM begun_work WHERE kind = ? AND is_running = 1 AND begun_at > 0')
for (let at = 0; running; at++) {
  if (running.get(kind) !== null) {
    process.kill(Number(pid), 'SIGKILL')
    break
  }
  if (at % 1000 === 0 && !isAlive()) break
  // Shorter than any recorded work. Without it the watcher would keep a processor from the one it watches.
  Atomics.wait(nothing, 0, 0, 0.1)
}
