import { peakMb } from '../process'
import { residentMb } from '../../../test/support/measure'
import { until, type Peer, type Stored } from './peer'
import { bothKnown, compare, compareFiles, compareLists, compareSearch, compareWork, type Pair } from './steps'

const TIMELINE = 25
const EPISODES = 75

type Work = {
  /** The feeds to import, the number of episodes in each, and one with a file. */
  feeds: readonly string[]
  episodes: number
  media: string
  /** The host of the feeds, which counts its answers. */
  host: string
  minutes: number
}

/** Does the same with two servers, and removes what it has added to the other one. */
export async function comparePeer(pair: Pair, work: Work) {
  const { ours, theirs } = pair
  const close = [await ours.open(), await theirs.open()]
  try {
    const known = new Set((await theirs.stored()).map(({ id }) => id))
    try {
      await compareAll(pair, work)
    } finally {
      for (const { id, feed } of await theirs.stored())
        if (!known.has(id) && [...work.feeds, work.media].includes(feed)) await theirs.remove(id)
    }
  } finally {
    for (const undo of close) await undo()
  }
}

async function compareAll(pair: Pair, { feeds, episodes, media, host, minutes }: Work) {
  await compareWork(pair, `import of feeds of ${episodes} episodes`, feeds.length, peer =>
    importAll(peer, feeds, episodes, minutes),
  )
  await compareLists(pair, 'timeline', TIMELINE, (peer, most) => () => peer.timeline(most))
  await compareLists(pair, 'the list of all podcasts', Infinity, peer => () => peer.podcasts())
  const imported = new Map<Peer, Stored[]>()
  await compare(pair, 'episodes of a podcast', async () => {
    for (const peer of [pair.ours, pair.theirs])
      imported.set(
        peer,
        (await peer.stored()).filter(({ feed }) => feeds.includes(feed)),
      )
    if ([...imported.values()].some(({ length }) => length === 0)) throw new Error('nothing was imported')
    await compareLists(pair, 'episodes of a podcast', EPISODES, (peer, most) => {
      let turn = 0
      const podcasts = imported.get(peer)!
      return () => peer.episodes(podcasts[turn++ % podcasts.length]!.id, most)
    })
  })
  await compareSearch(pair)
  await compareWork(pair, 'refresh of an unchanged feed', feeds.length, peer =>
    refreshAll(peer, imported.get(peer) ?? [], host, minutes),
  )
  await compareFiles(pair, media)
  compareMemory(pair)
}

async function importAll(peer: Peer, feeds: readonly string[], episodes: number, minutes: number) {
  const before = await peer.countEpisodes()
  const wanted = new Set(feeds)
  await peer.importFeeds(feeds)
  await until('not all feeds were imported', minutes, async () =>
    (await peer.stored()).filter(({ feed }) => wanted.has(feed)).length === feeds.length ? true : null,
  )
  if (before === null) return
  const all = before + feeds.length * episodes
  await until('not all episodes were stored', minutes, async () => ((await peer.countEpisodes())! >= all ? true : null))
}

/** Done when the host has answered for each of them. */
async function refreshAll(peer: Peer, podcasts: readonly Stored[], host: string, minutes: number) {
  if (podcasts.length === 0) throw new Error('nothing was imported')
  await fetch(`${host}/reset`)
  const waiting = [...podcasts]
  const ask = async () => {
    for (let podcast = waiting.pop(); podcast; podcast = waiting.pop()) await peer.refresh(podcast.id)
  }
  await Promise.all(Array.from({ length: 8 }, ask))
  await until('not all feeds were fetched', minutes, async () => {
    const { answers } = (await (await fetch(`${host}/counts`)).json()) as { answers: number }
    return answers >= podcasts.length ? true : null
  })
}

/** Compares the servers' own processes: what others share with each other, such as a database's, would count twice. */
function compareMemory(pair: Pair) {
  const { ours, theirs, samples } = pair
  if (!bothKnown(pair)) return samples.miss('memory and processor time', 'the id of its process was not given')
  for (const { name, pids } of [ours, theirs])
    samples.add('memory after all this, at most: MB', name, residentMb(pids[0]!), peakMb(pids[0]!))
}
