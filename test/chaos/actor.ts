import type { Random } from '../support/random'
import type { Hosts } from './hosts'
import type { Ledger } from './ledger'
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
