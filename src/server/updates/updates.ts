import { OutboundError } from '../outbound/error'
import { fetchBytes } from '../outbound/fetch-bytes'
import type { Outbound } from '../outbound/request'
import { DAY, SECOND, type Clock } from '../platform/clock'
import { describeError, type Log } from '../platform/log'
import { version as ourVersion } from '../platform/version'
import type { Store } from '../store'
import type { CheckFailure, Release } from '../store/updates'
import { isNewer, readRelease } from './release'

type Needs = {
  store: Store
  outbound: Outbound
  /** The address to ask; null = none is asked. */
  address: string | null
  now: Clock
  log: Log
}

const MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 15 * SECOND

/** Asks an address that the administrator names, once a day, for the newest version. Nothing is ever installed. */
export function createUpdates(needs: Needs) {
  const { store, address, now } = needs
  const stopping = new AbortController()
  return {
    isOn: address !== null,
    /**
     * The last check and the version that is newer than this one; null before the first check, and without an address.
     */
    latest() {
      const check = address === null ? null : store.updates.find(address)
      if (!check) return null
      const { checkedAt, release, failure } = check
      return { checkedAt, failure, newer: release && isNewer(release.version, ourVersion) ? release : null }
    },
    /** A clock that went back makes the check due as well. */
    async checkIfDue() {
      if (address === null) return
      const last = store.updates.find(address)
      if (last && Math.abs(now() - last.checkedAt) < DAY) return
      const found = await ask(needs, address, stopping.signal)
      if (stopping.signal.aborted) return
      const outcome = isRelease(found)
        ? { release: found, failure: null }
        : { release: last?.release ?? null, failure: found }
      await store.whenWritable()
      store.updates.keep(address, { checkedAt: now(), ...outcome })
    },
    async stop() {
      stopping.abort()
    },
  }
}

const isRelease = (found: Release | CheckFailure): found is Release => 'version' in found

async function ask({ outbound, log }: Needs, address: string, signal: AbortSignal): Promise<Release | CheckFailure> {
  try {
    // Named in the configuration: it may lie in a private network, as the feeds of an admin may.
    const reach = await outbound.reachOf(address, true)
    const limits = { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, idleMs: TIMEOUT_MS, totalMs: TIMEOUT_MS }
    const bytes = await fetchBytes(outbound, address, { reach, signal, ...limits })
    return readRelease(bytes) ?? { reason: 'unreadable', status: null }
  } catch (error) {
    log.warn('The check for a newer version failed', { error: describeError(error) })
    if (!(error instanceof OutboundError)) return { reason: 'unreachable', status: null }
    if (error.code === 'too-large') return { reason: 'unreadable', status: null }
    return { reason: error.status === null ? 'unreachable' : 'refused', status: error.status }
  }
}
