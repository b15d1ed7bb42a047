import type { Listeners, RefusedAttempt } from '../platform/events'
import type { Log } from '../platform/log'
import type { Store } from '../store'

const MAX_NAME = 60

export type Refusals = ReturnType<typeof createRefusals>

/** Logs refused sign-ins in the form that `docs/accounts.md` promises and fail2ban reads, and counts them. */
export function createRefusals({ store, log }: { store: Store; log: Log }) {
  const counts = new Map<string, number>()

  function note({ way, reason, name, address, isRepeated }: RefusedAttempt) {
    const labels = `{via="${way}",reason="${reason}"}`
    counts.set(labels, (counts.get(labels) ?? 0) + 1)
    if (isRepeated) return
    const isUnknown = reason === 'wrong-password' && store.users.findByName(name) === null
    log.info('Sign-in refused', {
      address: asNetwork(address),
      via: way,
      reason: isUnknown ? 'unknown-name' : reason,
      name: plainName(name),
    })
  }

  return {
    /** Refusals since the start of the process, by the labels of their metric: as many as there are ways and reasons. */
    counts: counts as ReadonlyMap<string, number>,
    listeners: { signInRefused: note } satisfies Listeners,
  }
}

/** An address as a ban needs it: one of IPv6 was reduced to its /64 network. */
export const asNetwork = (address: string) => (address.includes(':') ? `${address}/64` : address)

/** A name that a stranger typed, cut, and without characters that hide or turn round what follows. */
export function plainName(name: string, most = MAX_NAME): string {
  const plain = name
    .slice(0, 2 * most)
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}')
  const shown = [...plain]
  return shown.length > most ? `${shown.slice(0, most).join('')}…` : plain
}
