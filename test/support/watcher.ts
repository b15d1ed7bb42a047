import { Database } from 'bun:sqlite'

// Run as a process of its own: kills another one with SIGKILL at the moment at which it works on a kind of item.
// Arguments: the database, the kind, the process.

const [path, kind, pid] = process.argv.slice(2) as [string, string, string]
using db = new Database(path, { readonly: true })
const running = db.query('SELECT 1 FROM begun_work WHERE kind = ? AND is_running = 1')
while (running.get(kind) === null);
process.kill(Number(pid), 'SIGKILL')
