import { openStore, type Store } from '../../../src/server/store'
import { createWriteLock } from '../../../src/server/store/writing'

declare const self: Worker

/** Orders of a test: first to open the database, then to write into it. */
export type Order =
  | { path: string; memory: SharedArrayBuffer }
  /** `begun`: set to 1 as soon as the transaction is open. */
  | { inTransaction: boolean; begun: SharedArrayBuffer }

let store: Store

// A second thread of the server, as far as writing goes.
self.onmessage = ({ data }: MessageEvent<Order>) => {
  if ('path' in data) {
    store = openStore(data.path, { lock: createWriteLock(data.memory, 60_000) })
    self.postMessage('ready')
    return
  }
  const write = () => store.forgottenFiles.add({ storage: 'folder', path: 'written by the thread' })
  if (data.inTransaction)
    store.inTransaction(() => {
      Atomics.store(new Int32Array(data.begun), 0, 1)
      write()
    })
  else write()
  store.close()
  self.postMessage('done')
}
