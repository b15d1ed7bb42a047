import { Database } from 'bun:sqlite'

/** Opens the database of a running server a second time, and waits for its writes. */
export function openBeside(path: string): Database {
  const db = new Database(path)
  db.run('PRAGMA busy_timeout = 60000')
  return db
}

/** Another process that holds the write lock of a database until it is released. */
export async function startOtherWriter(path: string) {
  const child = Bun.spawn([process.execPath, import.meta.path, path], { stdin: 'pipe', stdout: 'pipe' })
  const lines = child.stdout.getReader()
  await lines.read()
  let isHeld = true
  return {
    isHeld: () => isHeld,
    async release() {
      if (!isHeld) return
      isHeld = false
      child.stdin.end()
      await child.exited
    },
    async [Symbol.asyncDispose]() {
      await this.release()
    },
  }
}

if (import.meta.main) {
  const db = openBeside(process.argv[2]!)
  db.run('BEGIN IMMEDIATE')
  console.log('held')
  for await (const _ of Bun.stdin.stream());
  db.run('ROLLBACK')
  db.close()
}
