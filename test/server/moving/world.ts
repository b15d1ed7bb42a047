import type { FileOptions } from '../../../src/server/moving/needs'
import type { UserRow } from '../../../src/server/store/users'
import type { TestApp } from '../../support/app'
import { rss } from '../../support/builders'
import type { FeedHost } from '../../support/feed-host'

/** The feeds that the sources of the tests name, as they are today. */
export function openWorld(host: FeedHost) {
  const item = (name: string, day: number) => ({
    guid: name,
    title: `Title ${name}`,
    enclosure: `${host.origin}/${name}.mp3`,
    date: new Date(Date.UTC(2026, 0, day)).toUTCString(),
  })
  host.feed(
    '/alpha.xml',
    rss({ title: 'Alpha', items: ['a5', 'a4', 'a3', 'a2', 'a1'].map((name, at) => item(name, 5 - at)) }),
  )
  host.feed('/beta.xml', rss({ title: 'Beta', items: [item('b2', 8), { ...item('b1', 7), guid: 'a1' }] }))
  const members = rss({ title: 'Members', items: [item('m1', 9)] })
  host.on('/members.xml', request =>
    request.headers.get('authorization') === `Basic ${btoa('mara:sea:side')}`
      ? new Response(members, { headers: { 'Content-Type': 'application/rss+xml' } })
      : new Response('who are you?', { status: 401 }),
  )
}

/** Moves a file in, to its end. */
export async function moveIn(
  { context: { moves, admin } }: TestApp,
  path: string,
  user: UserRow = admin,
  files: FileOptions | null = null,
  withUsers = false,
) {
  await moves.start(user, path, { files, withUsers })
  moves.resume()
  await moves.settled()
}

/** Takes the latest move back, to its end; returns its id. */
export async function undoLatest({ context: { moves, store, admin } }: TestApp): Promise<number> {
  const { id } = moves.undo(admin, store.moves.latest(null)!)
  moves.resume()
  await moves.settled()
  return id
}

/** The report of taking a move back, summed over its podcasts. */
export function undoneOf({ context: { store } }: TestApp, id: number): string[] {
  const groups = Map.groupBy(store.moves.undoCountsOf(id), ({ kind, outcome, reason }) =>
    [kind, outcome, reason].filter(Boolean).join(' '),
  )
  return [...groups].map(([name, rows]) => `${name}: ${rows.reduce((sum, { total }) => sum + total, 0)}`).sort()
}
