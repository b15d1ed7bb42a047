import type { DomainEvents } from '../../../../platform/events'
import { logFailure } from '../../../../platform/log'
import { createItems } from '../items'
import { playlistJson } from '../playlist-json'
import { createDelay } from './delay'
import type { NewsNeeds } from './news-needs'
import { signedInPeers } from './peers'
import { isSendable, sendMessage } from './session'

type Changed = DomainEvents['playlistChanged']

const names = { added: 'playlist_added', changed: 'playlist_updated', removed: 'playlist_removed' } as const

/** Tells apps of a user what became of the user's playlists. */
export function createPlaylistNews({ app, peers, limits }: NewsNeeds) {
  const items = createItems(app)
  const failed = logFailure(app.log, 'Apps were not told of a playlist')
  let changes = new Map<string, Changed>()

  const delay = createDelay(limits.settleMs, () => {
    const settled = changes
    changes = new Map()
    for (const changed of settled.values()) void tell(changed).catch(failed)
  })

  async function tell({ userId, uuid, change }: Changed) {
    const peer = signedInPeers(peers).find(({ access }) => access.user.id === userId)
    const row = app.store.playlists.findFor(userId, uuid)
    if (!peer || (row === null) !== (change === 'removed')) return
    const { user } = peer.access
    const playlist = row
      ? await playlistJson(app, items, user, row)
      : JSON.stringify({ id: uuid, libraryId: items.ids.libraryId, userId: user.uuid, items: [] })
    // As `eventMessage` writes it, of what is written already.
    const text = `2["${names[change]}",${playlist}]`
    if (!isSendable(text)) return
    for (const { session, access } of signedInPeers(peers)) if (access.user.id === userId) sendMessage(session, text)
  }

  return {
    changed(event: Changed) {
      const before = changes.get(event.uuid)
      const isNew = before?.change === 'added' && event.change === 'changed'
      changes.set(event.uuid, isNew ? before : event)
      delay.ask()
    },
    stop: delay.stop,
  }
}
