import { AsyncLocalStorage } from 'node:async_hooks'

// Why: docs/internals/decisions/0020

/** An account that acts, or that an act concerns. */
export type Person = { uuid: string; username: string }

/** The request that is being answered: who sent it, once that is known, and from which address. */
export type Acting = { actor: Person | null; address: () => string }

const requests = new AsyncLocalStorage<Acting>()

/** Runs `work`, and everything that it starts, on behalf of a request. */
export const actingFor = <T>(address: () => string, work: () => T): T => requests.run({ actor: null, address }, work)

/** Notes who sent the request that is being answered. */
export function noteActor({ uuid, username }: Person) {
  const request = requests.getStore()
  if (request) request.actor = { uuid, username }
}

/** The request on whose behalf the calling code runs; null for jobs and commands. */
export const actingNow = (): Acting | null => requests.getStore() ?? null
