import type { OtherItem } from '../item'
import { MAX_WITH_RULES } from '../../library/playlists'
import { readPortableRules } from '../portable-rules'
import { leftOut, noteChange, present, taken, type Batch, type Outcome } from './batch'
import { requireTag } from './podcasts'

type SmartItem = Extract<OtherItem, { is: 'smart' }>

/** Makes a playlist with rules, unless one of that name has rules already. Podcasts that are not here are counted. */
export function applySmart(batch: Batch, item: SmartItem): Outcome {
  const { store, now, count } = batch
  const user = batch.userOf(item.user)
  if (!user) return leftOut('no-account')
  const name = findFree(batch, user.id, item.list)
  if (name === null) return present
  if (store.playlists.countWithRules(user.id) >= MAX_WITH_RULES) return leftOut('too-many')
  const missing: string[] = []
  const rules = readPortableRules(item.rules, user, {
    podcast(feed) {
      const id = batch.podcastOf(feed) ?? store.podcasts.findByFeed(feed)?.id
      const found = id === undefined ? null : store.podcasts.findShared(user, id)
      if (!found) missing.push(feed)
      return found?.uuid ?? null
    },
    tag: text => requireTag(batch, user.id, { name: text }).uuid,
  })
  if (!rules) return leftOut('unreadable')
  for (const feed of missing) count('playlists', feed, leftOut('podcast-left-out'))
  const list = store.playlists.add(user.id, name, now(), JSON.stringify(rules))
  noteChange(batch, 'smart', { user_id: user.id, other_id: list.id })
  return taken
}

/** A name for the playlist: chosen ones keep theirs. Null = it is here. */
function findFree({ store }: Batch, userId: number, wish: string): string | null {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wish : `${wish} ${number}`
    const known = store.playlists.findByName(userId, name)
    if (known === null) return name
    if (known.rules !== null) return null
  }
}
