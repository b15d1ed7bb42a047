import { logFailure } from '../../../../platform/log'
import type { DomainEvents } from '../../../../platform/events'
import type { UserRow } from '../../../../store/users'
import { createItems } from '../items'
import { createDelay } from './delay'
import { eventMessage } from './messages'
import type { NewsNeeds } from './news'
import { signedInPeers } from './peers'
import { bufferedBytes, sendMessage } from './session'

/** Bytes of a frame. Clients in use refuse longer ones than 4 MiB; their pages fetch a podcast when they are opened. */
const MAX_TEXT = 4_000_000
/** Bytes that may wait in all connections before the next one is given a podcast. */
const MAX_BUFFERED_IN_ALL = 64 * 1024 * 1024
/** How often, and how long, the others wait for that. */
const DRAIN_MS = 50
const MAX_DRAINS = 100

/** Tells apps of podcasts that came, changed and went. One after another is sent, whole, as it is by then. */
export function createItemNews({ app, peers, limits }: NewsNeeds) {
  const items = createItems(app)
  const waiting = new Map<number, 'item_added' | 'item_updated'>()
  let isBusy = false
  const delay = createDelay(limits.itemsMs, () => void sendNext().catch(logFailure(app.log, 'Apps were not told')))

  async function sendNext() {
    const [next] = waiting
    if (isBusy || !next) return
    waiting.delete(next[0])
    isBusy = true
    try {
      await tell(...next)
    } finally {
      isBusy = false
      if (waiting.size > 0) delay.ask()
    }
  }

  async function tell(podcastId: number, name: string) {
    const users = new Map(signedInPeers(peers).map(({ access: { user } }) => [user.id, user]))
    const texts = new Map<string, string | null>()
    for (const user of users.values()) {
      const [row] = app.store.catalogue.podcasts(user, [podcastId])
      if (!row) continue
      // All that differs between users: what they may see, and their tags.
      const kind = `${user.explicit_consent} ${row.tags}`
      if (!texts.has(kind)) texts.set(kind, inBounds(`2["${name}",${await items.expandedJson(user, row)}]`))
      const text = texts.get(kind)
      if (text != null) await send(user, text)
    }
  }

  async function send({ id, explicit_consent }: UserRow, text: string) {
    for (const { session, access } of signedInPeers(peers)) {
      // Somebody may have come meanwhile who may see less.
      if (access.user.id !== id || access.user.explicit_consent !== explicit_consent) continue
      await drained(text.length)
      sendMessage(session, text)
    }
  }

  /** Waits until the connections together have read enough for one more text of this length. */
  async function drained(length: number) {
    const inAll = () => [...peers.keys()].reduce((bytes, session) => bytes + bufferedBytes(session), 0)
    for (let times = 0; times < MAX_DRAINS && inAll() + length > MAX_BUFFERED_IN_ALL; times++) await Bun.sleep(DRAIN_MS)
  }

  return {
    added(podcastId: number) {
      waiting.set(podcastId, 'item_added')
      delay.ask()
    },
    changed(podcastId: number) {
      if (!waiting.has(podcastId)) waiting.set(podcastId, 'item_updated')
      delay.ask()
    },
    removed({ uuid, explicit }: DomainEvents['podcastRemoved']) {
      const text = eventMessage('item_removed', { id: uuid, libraryId: items.ids.libraryId })
      for (const { session, access } of signedInPeers(peers))
        if (!explicit || access.user.explicit_consent === 1) sendMessage(session, text)
    },
    stop() {
      waiting.clear()
      delay.stop()
    },
  }
}

const inBounds = (text: string) => (Buffer.byteLength(text) > MAX_TEXT ? null : text)
