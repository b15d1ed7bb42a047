import type { UserRow } from '../../../src/server/store/users'
import type { TestApp } from '../../support/app'
import type { FeedHost } from '../../support/feed-host'

/** Gives people much of what the sources hold as well: some of it newer than theirs, some older. */
export async function fillLibrary({ context }: TestApp, host: FeedHost, people: readonly UserRow[]) {
  const { store, subscribe, admin, now } = context
  const alpha = await subscribe(admin, `${host.origin}/alpha.xml`)
  const ids = new Map(store.episodes.knownOf(alpha.id).map(({ guid, id }) => [guid, id]))
  const idOf = (guid: string) => ids.get(guid)!
  for (const user of people) {
    const play = (guid: string, position: number, at: number) =>
      context.playback.record(user.id, store.episodes.find(idOf(guid))!, { position, at, total: 1800 })
    // Newer than in any source, and older.
    play('a1', 300, Date.UTC(2026, 3, 1))
    play('a2', 5, Date.UTC(2026, 0, 20))
    play('a4', 6, Date.UTC(2026, 0, 20))
    store.episodes.like(user.id, idOf('a3'), true, now())
    store.podcasts.favour(user.id, alpha.id, user !== admin, now())
    // The sources have heard the first of them to its end.
    context.queue.addAll(user.id, [idOf('a2'), idOf('a5'), idOf('a3')], 'last')
    for (const name of ['Mornings', 'Morning', 'Mine', 'Coast']) {
      const tag = context.tags.create(user.id, { name, color: 'Red', description: null })
      if (name === 'Mine') store.tags.assign(tag.id, alpha.id)
    }
    const list = store.playlists.add(user.id, 'Trip', now())
    store.playlists.replaceItems(list.id, [idOf('a5'), idOf('a4')])
    store.podcastSettings.keepPreferences(user.id, alpha.id, {
      speed: null,
      boost: null,
      skipIntro: 0,
      skipOutro: 0,
      skipMarked: false,
    })
  }
}
