import { logFailure } from '../../../../platform/log'
import type { DomainEvents } from '../../../../platform/events'
import type { PlaylistRow } from '../../../../store/playlists'
import { createItems } from '../items'
import { playlistJson } from '../playlist-json'
import { createDelay } from './delay'
import type { NewsNeeds } from './news-needs'
import { signedInPeers } from './peers'
import { isSendable, sendMessage } from './session'

type Changed = DomainEvents['playlistChanged']

/** Names of the protocol. */
const events = { added: 'playlist_added', changed: 'playlist_updated', removed: 'playlist_removed' } as const

/** Notifies apps of a user of changes of the user's playlists: whole ones, and empty ones when they are gone. */
export function createPlaylistNews({ app, peers, limits }: NewsNeeds) {
  const items = createItems(app)
  const waiting = new Map<string, Changed>()
  const delay = createDelay(limits.settleMs, logFailure(app.log, 'Apps were not told'), async () => {
    const settled = [...waiting.values()]
    waiting.clear()
    for (const changed of settled) await tell(changed)
  })

  async function tell({ userId, uuid, name, createdAt, change }: Changed) {
    const told = signedInPeers(peers)
      .filter(peer => peer.access.user.id === userId)
      .map(peer => ({ peer, access: peer.access }))
    const user = told[0]?.access.user
    const gone: PlaylistRow = {
      id: 0,
      uuid,
      user_id: userId,
      name,
      created_at: createdAt,
      rules: null,
      keep_downloaded: 0,
    }
    const row = change === 'removed' ? gone : app.store.playlists.findFor(userId, uuid)
    if (!user || !row) return
    const text = `2["${events[change]}",${await playlistJson(app, items, user, row)}]`
    if (!isSendable(text)) return
    for (const { peer, access } of told) if (peer.access === access) sendMessage(peer.session, text)
  }

  return {
    changed(event: Changed) {
      const before = waiting.get(event.uuid)
      const isStillNew = before?.change === 'added' && event.change === 'changed'
      waiting.set(event.uuid, isStillNew ? { ...event, change: 'added' } : event)
      delay.ask()
    },
    stop: delay.stop,
  }
}
