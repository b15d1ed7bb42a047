import type { Actor, Known, Needs, World } from './actor'
import { tabs } from './browser'
import { listen } from './listener'
import { cloudApp, gpodderApp } from './phones'
import type { Server } from './server'

/** The episodes of the podcasts that are always there. */
export async function episodesOf(server: Server, { feeds, hosts }: Pick<World, 'feeds' | 'hosts'>): Promise<Known[]> {
  const podcasts = (await server.podcasts.list()).filter(({ rssfeed }) => feeds.includes(rssfeed))
  const pages = await Promise.all(
    podcasts.map(async ({ id, rssfeed }) => {
      const enclosures = hosts.enclosuresOf(rssfeed)
      const { data } = await server.podcasts.episodes(id, { limit: 200 }, null)
      return data.map(({ podcastEpisode: { id: uuid, episode_id, url } }) => {
        const number = enclosures.indexOf(url)
        return { id: uuid, eid: episode_id, feed: rssfeed, enclosure: url, number, podcastId: id }
      })
    }),
  )
  return pages.flat().sort((one, other) => one.number - other.number)
}

/** Runs all actors at once until `stop`, which lets each finish its step. */
export function startLoad(
  world: World,
  server: Server,
  episodes: readonly Known[],
  { more = [], slower = 1 }: { more?: readonly Actor[]; slower?: number } = {},
) {
  const needs: Needs = { ...world, server, episodes }
  const actors = [...tabs, gpodderApp, cloudApp, ...Array.from({ length: 10 }, () => listen), ...more]
  let isOver = false
  const run = async ({ everyMs, step }: Actor) => {
    while (!isOver) {
      await step(needs).catch(() => undefined)
      if (!isOver) await Bun.sleep(world.random.between(0, 2 * everyMs * slower))
    }
  }
  const all = Promise.all(actors.map(run))
  return {
    async stop() {
      isOver = true
      await all
    },
  }
}
