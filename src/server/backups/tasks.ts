/** Tasks of the second thread for backups. */
export type BackupTasks = {
  /** Answers what went wrong, in a sentence; null when nothing did. */
  backUp: {
    request: { secretPath: string; target: string }
    result: { message: string; isDiskFull: boolean } | null
  }
  /** Reads the whole database; answers what is wrong with it, null when nothing is. */
  check: { request: null; result: string | null }
}
