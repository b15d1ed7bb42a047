import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'

/** Origin of a build; the same commit always gives the same, so that builds can be repeated byte for byte. */
export type Identity = {
  /** Eight digits, followed by `with changes` if files differ from the commit; empty if unknown. */
  commit: string
  /** Seconds since 1970: the commit's, or 0 if unknown. Every file of a package carries it. */
  epoch: number
}

const root = realpathSync(join(import.meta.dir, '..'))

/** Reads the commit from git; without a repository, `SOURCE_COMMIT` and `SOURCE_DATE_EPOCH` may tell it. */
export function identify(env: Record<string, string | undefined> = process.env, folder = root): Identity {
  const fromGit = env.SOURCE_COMMIT ? null : readCommit(folder)
  const epoch = Number(env.SOURCE_DATE_EPOCH || fromGit?.epoch || 0)
  if (!Number.isSafeInteger(epoch) || epoch < 0) throw new Error('SOURCE_DATE_EPOCH is not a number of seconds')
  return { commit: env.SOURCE_COMMIT ?? fromGit?.commit ?? '', epoch }
}

/** Date as the version line shows it, or nothing if it is unknown. */
export const dateOf = ({ epoch }: Identity) => (epoch ? new Date(epoch * 1000).toISOString().slice(0, 10) : '')

function readCommit(folder: string): Identity | null {
  // A repository around the folder, such as somebody's home, says nothing about it.
  if (git(folder, 'rev-parse', '--show-toplevel') !== folder) return null
  const [hash, epoch] = git(folder, 'log', '-1', '--format=%H %ct')?.split(' ') ?? []
  if (!hash || !epoch) return null
  const isModified = git(folder, 'status', '--porcelain') !== ''
  return { commit: hash.slice(0, 8) + (isModified ? ' with changes' : ''), epoch: Number(epoch) }
}

function git(cwd: string, ...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}
