import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { writeGpodder } from '../support/foreign/gpodder'
import type { Hosts } from './hosts'
import type { Actor, Needs } from './actor'
import { account, connectTo, type Server } from './server'

const MINUTE = 60_000
/** More than a removal deletes at once. */
const VAST = 1200
const MAX_VAST = 2
const MOVED = 60
const MAX_ACCOUNTS = 4
const ended = new Set(['done', 'undone', 'failed'])
const vast = /\/Vast-\d+\.xml$/

const alive = ({ ledger }: Needs, kind: string) =>
  ledger.keys(`${kind} `).flatMap(key => (ledger.get(key) === true ? key.slice(kind.length + 1) : []))

/** Podcasts of many episodes, each of them played, that come and go with their files or without. */
const vastPodcasts: Actor = {
  everyMs: 150,
  async step(needs) {
    const { server, ledger, hosts, random, count } = needs
    const known = alive(needs, 'podcast').filter(feed => vast.test(feed))
    if (known.length < MAX_VAST) {
      const feed = hosts.add(`Vast-${count()}`, VAST, MINUTE, VAST)
      const made = await ledger.write('podcast', { [`podcast ${feed}`]: true }, () => server.podcasts.add(feed))
      if (made) await server.podcasts.markListened(made.id, { finished: true })
      return
    }
    if (random.chance(40)) return
    const feed = random.pick(known)
    const podcast = (await server.podcasts.list()).find(({ rssfeed }) => rssfeed === feed)
    if (podcast)
      await ledger.write('vast removal', { [`podcast ${feed}`]: null }, () =>
        server.podcasts.remove(podcast.id, random.chance(60)),
      )
  },
}

/** An admin who invites people and removes their accounts again. */
const accounts: Actor = {
  everyMs: 120,
  async step(needs) {
    const { server, ledger, random, count } = needs
    const known = alive(needs, 'account')
    if (known.length < MAX_ACCOUNTS) {
      const who = { username: `guest${count()}`, password: account.password }
      const { id: inviteId } = await server.invites.create({ role: 'user' })
      const key = `account ${who.username}`
      if (await ledger.write('account', { [key]: true }, () => server.users.signUp({ ...who, inviteId })))
        await live(needs, connectTo(server.origin, who))
      return
    }
    if (random.chance(50)) return
    const username = random.pick(known)
    const user = (await server.users.list()).find(one => one.username === username)
    if (user)
      await ledger.write('account removal', { [`account ${username}`]: null }, () => server.users.remove(user.id))
  },
}

/** Lives a first day: plays all of a podcast, likes, queues and lists some episodes. */
async function live({ random, episodes, count }: Needs, guest: Server) {
  const podcasts = await guest.podcasts.list()
  await guest.podcasts.markListened(
    random.pick(podcasts.filter(one => vast.test(one.rssfeed)).concat(podcasts[0]!)).id,
    {
      finished: true,
    },
  )
  const ids = random.some(episodes, 20).map(({ id }) => id)
  await guest.episodes.batch.like(ids, true)
  await guest.queue.addAll(ids, 'last')
  await guest.playlists.create({ name: `Guest's ${count()}`, items: ids.map(episode => ({ episode })) })
}

type Moving = { id: string; feeds: readonly string[]; isUndone: boolean }

/** People who join and leave; `folder`: for the files that they bring. */
export function createComings(folder: string) {
  /** Outlives a kill. */
  let move: Moving | null = null
  let lastFeeds: readonly string[] = []

  async function begin({ server, ledger, hosts, count }: Needs) {
    // The answer to the last one may be lost.
    const unanswered = (await server.moves.list()).find(({ state }) => !ended.has(state))
    if (unanswered) {
      move = { id: unanswered.id, feeds: lastFeeds, isUndone: false }
      return
    }
    const feeds = Array.from({ length: 3 }, () => hosts.add(`Moved-${count()}`, MOVED))
    lastFeeds = feeds
    const path = join(folder, `gpodder-${count()}`)
    writeLibrary(path, hosts, feeds)
    const made = await ledger.write('move', {}, () => server.moves.start({ path }))
    if (!made) return
    ledger.note(`move ${made.id}`, true)
    move = { id: made.id, feeds, isUndone: false }
  }

  /** Takes most moves back once they are done, and some in the middle. */
  async function advance({ server, ledger, random, complain }: Needs, current: Moving) {
    const { state, message } = await server.moves.get(current.id)
    if (state === 'ready') await server.moves.begin(current.id)
    if (state === 'failed') complain(`a move failed: ${message}`)
    if (state === 'undone') {
      const left = (await server.podcasts.list()).filter(({ rssfeed }) => current.feeds.includes(rssfeed))
      for (const { rssfeed } of left) complain(`${rssfeed} is still here, and its move was undone`)
    }
    if (state === 'failed' || state === 'undone') {
      ledger.forget(`move ${current.id}`)
      move = null
    }
    if (current.isUndone || !(state === 'done' || (state === 'applying' && random.chance(10)))) return
    current.isUndone = (await ledger.write('move undo', {}, () => server.moves.undo(current.id))) !== null
  }

  /** Somebody who brings a library of gPodder, and takes it back. */
  const moving: Actor = { everyMs: 60, step: needs => (move === null ? begin(needs) : advance(needs, move)) }

  return {
    actors: [vastPodcasts, accounts, moving],
    /** The machine is lost: what it knew of a move may be lost, too. */
    forget: () => void (move = null),
  }
}

/** A desktop that has played everything of these podcasts. */
function writeLibrary(path: string, hosts: Hosts, feeds: readonly string[]) {
  writeGpodder(path, 'https://elsewhere.example')
  using db = new Database(path)
  db.transaction(() => {
    db.run('DELETE FROM podcast; DELETE FROM episode')
    for (const [index, url] of feeds.entries()) {
      db.query('INSERT INTO podcast (id, title, url) VALUES (?, ?, ?)').run(index + 1, `Moved ${index}`, url)
      for (const [number, enclosure] of hosts.enclosuresOf(url).entries())
        db.query(
          `INSERT INTO episode (podcast_id, title, url, published, guid, current_position, total_time, last_playback, archive)
           VALUES (?, 'Moved', ?, ?, ?, 60, 1800, 1770000000, 1)`,
        ).run(index + 1, enclosure, 1_700_000_000 + number, `${enclosure} moved`)
    }
  })()
}
