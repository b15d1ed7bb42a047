import type { Release } from '../store/updates'

const MOST_NOTES = 500
const MOST_ADDRESS = 2000

/** Reads what names the newest version, a document such as `{"version":"1.2.0"}`; null for anything else. */
export function readRelease(bytes: Uint8Array): Release | null {
  const { version, url, notes } = (parse(bytes) ?? {}) as Record<string, unknown>
  const found = typeof version === 'string' && version.length <= 40 ? versionIn.exec(version)?.[1] : undefined
  return found === undefined ? null : { version: found, url: readUrl(url), notes: readNotes(notes) }
}

/** Whether a version is newer than another; a release is newer than what came before it. */
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

/** An address that a browser may open; no other scheme than http and https. */
function readUrl(value: unknown): string | null {
  const url = typeof value === 'string' && value.length <= MOST_ADDRESS ? URL.parse(value) : null
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : null
}

function readNotes(value: unknown): string | null {
  // oxlint-disable-next-line no-control-regex
  const text =
    typeof value === 'string'
      ? value
          .slice(0, 4 * MOST_NOTES)
          .replace(/[\0-\x1f\x7f]/g, ' ')
          .trim()
      : ''
  return text ? text.slice(0, MOST_NOTES).toWellFormed() : null
}
