import type { Context } from '../../../../context'
import type { DomainEvents } from '../../../../platform/events'
import { logFailure } from '../../../../platform/log'
import type { UserRow } from '../../../../store/users'
import { type Amount, createItems } from '../items'
import { MAX_BUFFERED, MAX_FRAME, type SocketLimits, TRY_AGAIN_LATER, eventMessage } from './wire'
import { type Peers, signedInPeers } from './peers'
import { bufferedBytes, end, isSendable, sendMessage } from './session'

/** The parts that are needed to notify apps of changes. */
export type NewsNeeds = { app: Context; peers: Peers; limits: SocketLimits }

/** Characters of a text that takes a while to send. */
const LONG = 64 * 1024
/** Bytes that may wait in all connections before a podcast is sent to the next one. */
const MAX_BUFFERED_IN_ALL = 64 * 1024 * 1024
/** The pause between two checks of that. */
const DRAIN_MS = 20

/**
 * Notifies apps of podcasts that were added, changed and removed. One after the other is sent, as a whole and in its
 * state at that time.
 */
export function createItemNews(needs: NewsNeeds) {
  const { app, peers, limits } = needs
  const items = createItems(app)
  const waiting = new Map<number, 'item_added' | 'item_updated'>()
  let isBusy = false
  const delay = createDelay(limits.itemsMs, logFailure(app.log, 'Apps could not be notified'), sendNext)

  async function sendNext() {
    const [next] = waiting
    if (isBusy || !next) return
    waiting.delete(next[0])
    isBusy = true
    try {
      await notify({ ...needs, items }, ...next)
    } finally {
      isBusy = false
      if (waiting.size > 0) delay.ask()
    }
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

/** The parts, and the shapes of podcasts. */
type ItemNeeds = NewsNeeds & { items: ReturnType<typeof createItems> }

async function notify(needs: ItemNeeds, podcastId: number, name: string) {
  for (const group of audienceOf(needs, podcastId)) {
    const text = await textFor(needs, group[0]!.access.user, podcastId, name)
    if (text === null) continue
    for (const { peer, access } of group) {
      await drained(needs, text.length)
      // Somebody who may see less may have signed in since.
      if (peer.access === access) sendMessage(peer.session, text)
    }
  }
}

/** The connections of those who see a podcast, in groups that see the same: one text at a time is in memory. */
function audienceOf({ app, peers }: NewsNeeds, podcastId: number) {
  const kinds = new Map<string, string | null>()
  function kindOf(user: UserRow): string | null {
    const viewer = `${user.id} ${user.explicit_consent}`
    if (!kinds.has(viewer)) {
      const [row] = app.store.catalogue.podcasts(user, [podcastId])
      // All that differs between users: what they may see, and their tags.
      kinds.set(viewer, row ? `${user.explicit_consent} ${row.tags}` : null)
    }
    return kinds.get(viewer)!
  }
  const now = signedInPeers(peers).map(peer => ({ peer, access: peer.access, kind: kindOf(peer.access.user) }))
  return Map.groupBy(
    now.filter(({ kind }) => kind !== null),
    ({ kind }) => kind,
  ).values()
}

async function textFor(
  { app, items }: ItemNeeds,
  user: UserRow,
  podcastId: number,
  name: string,
): Promise<string | null> {
  const [row] = app.store.catalogue.podcasts(user, [podcastId])
  if (!row) return null
  for (const amount of amounts) {
    const item = await items.expandedJson(user, row, MAX_FRAME, amount)
    const text = `2["${name}",${item}]`
    if (item !== null && isSendable(text)) return text
  }
  return null
}

/** Tried in this order until a podcast fits into a frame: all episodes, all without notes, the newest without notes. */
const amounts: readonly Amount[] = [
  {},
  { withNotes: false },
  { withNotes: false, limit: 1000 },
  { withNotes: false, limit: 100 },
]

/** Waits until the connections together have room for one more text; those that do not read until then are closed. */
async function drained({ peers, limits }: NewsNeeds, length: number) {
  // Other requests are answered in between.
  if (length > LONG) await new Promise(setImmediate)
  const hasRoom = () =>
    [...peers.keys()].reduce((bytes, session) => bytes + bufferedBytes(session), length) <= MAX_BUFFERED_IN_ALL
  for (let waited = 0; waited < limits.drainMs && !hasRoom(); waited += DRAIN_MS) await Bun.sleep(DRAIN_MS)
  if (hasRoom()) return
  for (const session of peers.keys()) if (bufferedBytes(session) > MAX_BUFFERED) end(session, TRY_AGAIN_LATER)
}

/** Work that runs once, `ms` after it was first asked for, however often it is requested in the meantime. */
export function createDelay(ms: number, onError: (error: unknown) => void, work: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | null = null
  return {
    ask() {
      timer ??= setTimeout(() => {
        timer = null
        work().catch(onError)
      }, ms)
    },
    stop() {
      if (timer) clearTimeout(timer)
      timer = null
    },
  }
}
