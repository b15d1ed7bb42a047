type BackUpFailure = { message: string; isDiskFull: boolean }

/** Tasks that a worker thread runs for backups. */
export type BackupTasks = {
  /** Writes a backup to `target`; returns the failure, or null on success. */
  backUp: {
    request: { secret: Uint8Array; target: string }
    result: BackUpFailure | null
  }
  /** Writes a copy without the secret; answers as `backUp`. */
  copy: { request: { target: string }; result: BackUpFailure | null }
  /** Reads the whole database; returns a description of the damage, or null. */
  check: { request: null; result: string | null }
}
