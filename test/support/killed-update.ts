import { Database } from 'bun:sqlite'
import { openDatabase } from '../../src/server/store/open'

// Opens a database and kills this process before a statement: bun killed-update.ts PATH NUMBER

let left = Number(process.argv[3])
const run = Database.prototype.run
Database.prototype.run = function (...args) {
  if (--left === 0) process.kill(process.pid, 'SIGKILL')
  return run.apply(this, args)
}
openDatabase(process.argv[2]!).close()
