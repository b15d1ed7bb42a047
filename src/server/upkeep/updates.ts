import { OutboundError } from '../outbound/error'
import { fetchBytes, type Outbound } from '../outbound/request'
import { type Clock, DAY, SECOND } from '../platform/clock'
import { describeError, type Log } from '../platform/log'
import { version as ourVersion } from '../platform/version'
import type { Store } from '../store'
import type { CheckFailure, Release } from '../store/upkeep'

type Needs = {
  store: Store
  outbound: Outbound
  /** The address to ask; null = no check. */
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
    /** A clock that was set back makes the check due as well. */
    async checkIfDue() {
      if (address === null) return
      const last = store.updates.find(address)
      if (last && Math.abs(now() - last.checkedAt) < DAY) return
      const found = await askForRelease(needs, address, stopping.signal)
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

export const isRelease = (found: Release | CheckFailure): found is Release => 'version' in found

/** Asks an address for the newest version; a check that fails is logged. */
export async function askForRelease(
  { outbound, log }: Pick<Needs, 'outbound' | 'log'>,
  address: string,
  signal: AbortSignal,
): Promise<Release | CheckFailure> {
  try {
    // The configuration names it, so it may be in a private network, like an admin's feeds.
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

const MAX_NOTES = 500
const MAX_ADDRESS = 2000

/** Reads the document that names the newest version, such as `{"version":"1.2.0"}`; null for anything else. */
export function readRelease(bytes: Uint8Array): Release | null {
  const { version, url, notes } = (parse(bytes) ?? {}) as Record<string, unknown>
  const found = typeof version === 'string' && version.length <= 40 ? versionIn.exec(version)?.[1] : undefined
  return found === undefined ? null : { version: found, url: readUrl(url), notes: readNotes(notes) }
}

/** Whether a version is newer than another; a release is newer than its prereleases. */
export const isNewer = (version: string, than: string) => Bun.semver.order(version, than) > 0

const versionIn = /^v?(\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.-]+)?)$/

function parse(bytes: Uint8Array): object | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** An address that a browser may open; only http and https. */
function readUrl(value: unknown): string | null {
  const url = typeof value === 'string' && value.length <= MAX_ADDRESS ? URL.parse(value) : null
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null
}

function readNotes(value: unknown): string | null {
  // oxlint-disable-next-line no-control-regex
  const text =
    typeof value === 'string'
      ? value
          .slice(0, 4 * MAX_NOTES)
          .replace(/[\0-\x1f\x7f]/g, ' ')
          .trim()
      : ''
  return text ? text.slice(0, MAX_NOTES).toWellFormed() : null
}
