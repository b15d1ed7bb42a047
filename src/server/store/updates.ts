import type { Database } from 'bun:sqlite'

export type Release = { version: string; url: string | null; notes: string | null }
/** `status` is that of the refusal; a failure leaves the release that an earlier check found. */
export type CheckFailure = { reason: 'unreachable' | 'refused' | 'unreadable'; status: number | null }
export type UpdateCheck = { checkedAt: number; release: Release | null; failure: CheckFailure | null }

type UpdateCheckRow = {
  checked_at: number
  version: string | null
  url: string | null
  notes: string | null
  failure: CheckFailure['reason'] | null
  status: number | null
}

/** The last check for a newer version. */
export const updateStore = (db: Database) => ({
  /** The last check of this address; null = it was never asked. */
  find(address: string): UpdateCheck | null {
    const row = db.query<UpdateCheckRow, [string]>('SELECT * FROM update_check WHERE address = ?').get(address)
    if (!row) return null
    const { checked_at: checkedAt, version, url, notes, failure: reason, status } = row
    return {
      checkedAt,
      release: version === null ? null : { version, url, notes },
      failure: reason && { reason, status },
    }
  },
  /** Notes the outcome of a check; what another address said is forgotten. */
  keep(address: string, { checkedAt, release, failure }: UpdateCheck) {
    db.query<null, Record<string, string | number | null>>(
      `INSERT OR REPLACE INTO update_check (id, address, checked_at, version, url, notes, failure, status)
       VALUES (1, $address, $checkedAt, $version, $url, $notes, $failure, $status)`,
    ).run({
      address,
      checkedAt,
      version: release?.version ?? null,
      url: release?.url ?? null,
      notes: release?.notes ?? null,
      failure: failure?.reason ?? null,
      status: failure?.status ?? null,
    })
  },
})
