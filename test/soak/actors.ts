import { coverSizes } from '../../src/server/covers/sizes'
import { connect } from '../support/socket'
import type { Actor } from '../chaos/actor'

const words = ['fog', 'harbour', 'part', 'edition', 'lasting', 'imported', 'light']

/** A page that is opened, looked at and closed. */
const page: Actor = {
  everyMs: 300,
  async step({ server, random, episodes }) {
    const { socket, closed } = await connect(server.origin, { Authorization: server.authorization })
    await server.timeline.page({ limit: 25, favoredOnly: random.chance(30) }, null)
    await server.podcasts.episodes(random.pick(episodes).podcastId, { limit: 50 }, null)
    await Bun.sleep(random.between(100, 3000))
    socket.close()
    await closed
  },
}

const search: Actor = {
  everyMs: 150,
  async step({ server, random }) {
    await server.search.find({ q: random.some(words, 1 + random.below(3)).join(' ') }, null)
    await Promise.all([server.downloads.page(null), server.info.system(), server.info.stats({})])
  },
}

const covers: Actor = {
  everyMs: 100,
  async step({ server, random, episodes }) {
    await (await server.cover(random.pick(episodes).podcastId, random.pick(coverSizes))).bytes()
  },
}

/** Somebody who leaves in the middle. */
const leave: Actor = {
  everyMs: 200,
  async step({ server, random, episodes }) {
    const response = await server.media(random.pick(episodes).eid, 0, 24_000_000)
    const reader = response.body!.getReader()
    await reader.read()
    await Bun.sleep(random.between(0, 500))
    await reader.cancel()
  },
}

/** The schedule finds these changes: nobody asks for a refresh. */
const news: Actor = {
  everyMs: 400,
  async step({ hosts, random, feeds }) {
    const feed = random.pick(feeds)
    hosts.edit(feed, 1 + random.below(10))
    if (random.chance(20)) hosts.publish(feed)
  },
}

export const more: readonly Actor[] = [page, page, page, page, page, page, search, search, covers, covers, leave, news]
