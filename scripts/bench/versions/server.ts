import { callsOf } from '../api'
import { startUpMs } from '../process'
import type { Budget } from '../table/budget'

export const sides = ['before', 'after'] as const
export type Side = (typeof sides)[number]

/** One of the two executables, and the share of the machine that it gets. */
export type Version = { side: Side; executable: string; budget: Budget }

export const account = { username: 'root', password: 'Sup3rSecret' }
const env = { PORT: '0', DISK_RESERVE: '0', LOG_FORMAT: 'text', BACKUP_INTERVAL: '0', ALLOWED_NETWORKS: '127.0.0.0/8' }
const signIn = { BASIC_AUTH: 'true', USERNAME: account.username, PASSWORD: account.password, HOST: '127.0.0.1' }

/** An executable on a data folder: in open mode, or with sign-in by password. */
export async function startVersion({ executable, budget }: Pick<Version, 'executable' | 'budget'>, options: Options) {
  const data = { ...env, ...(options.signIn && signIn), DATA_DIRECTORY: options.folder }
  const server = await startUpMs([...budget.wrap, executable], data, '/healthz')
  budget.confine(server.pid)
  const headers: Record<string, string> = options.signIn
    ? { Authorization: `Basic ${btoa(`${account.username}:${account.password}`)}` }
    : {}
  return { ...server, headers, call: callsOf(server.origin, headers) }
}
type Options = { folder: string; signIn?: boolean }
export type Running = Awaited<ReturnType<typeof startVersion>>
