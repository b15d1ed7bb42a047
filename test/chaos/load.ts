import { tabs } from './browser'
import type { Hosts } from './hosts'
import type { Ledger } from './ledger'
import { listen } from './listener'
import { cloudApp, gpodderApp } from './phones'
import type { Random } from '../support/random'
import type { Server } from './server'

export type Known = { id: string; eid: string; feed: string; enclosure: string; number: number; podcastId: string }

/** The state that outlives a kill: writers continue where they were. */
export type World = {
  hosts: Hosts
  ledger: Ledger
  random: Random
  /** The podcasts that are always there. */
  feeds: readonly string[]
  /** A number that grows with every call, to tell values apart. */
  count: () => number
  /** The import that runs, if one does. */
  imports: { jobId: string; feeds: readonly string[] }[]
  complain: (text: string) => void
}

export type Needs = World & { server: Server; episodes: readonly Known[] }

/** One step of somebody, again and again. */
export type Actor = { everyMs: number; step: (needs: Needs) => Promise<unknown> }

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
