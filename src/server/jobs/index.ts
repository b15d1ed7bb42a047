import { MINUTE, SECOND } from '../clock'
import type { Context } from '../context'
import type { Job } from './scheduler'

/** Everything that happens without anybody asking. */
export const jobsOf = ({ refresh, downloads, covers }: Context): readonly Job[] => [
  { name: 'refresh feeds', everyMs: MINUTE, run: signal => refresh.refreshDue(signal) },
  { name: 'start downloads', everyMs: 5 * SECOND, run: async () => downloads.pump() },
  { name: 'fetch covers', everyMs: 10 * SECOND, run: signal => covers.fetchDue(signal) },
]
