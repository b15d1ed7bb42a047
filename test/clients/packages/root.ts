import { join } from 'node:path'

export const isRoot = process.getuid?.() === 0

type Options = {
  user?: string
  /** Folder that stays writable in a root that is not. */
  writable?: string
  /** Runs executables of another architecture: a path within the root. */
  emulator?: string
}

/** Makes a command that runs in another root, with /proc and /dev, in mounts of its own that end with it. */
export function commandIn(root: string, command: readonly string[], { user, writable, emulator }: Options = {}) {
  const mounts = [
    'mount --bind "$0" "$0"',
    'mount -t proc proc "$0/proc"',
    // As container runtimes do.
    'mount --rbind /dev "$0/dev"',
    ...(writable ? [`mount --bind "$0${writable}" "$0${writable}"`, 'mount -o remount,ro,bind "$0"'] : []),
  ]
  const shell = `${mounts.join(' && ')} && exec ${Bun.which('chroot')} ${user ? `--userspec=${user}` : ''} "$0" "$@"`
  return [Bun.which('unshare')!, '--mount', '/bin/sh', '-c', shell, root, ...(emulator ? [emulator] : []), ...command]
}

const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive' }

/** Runs a command in another root while this thread serves what it asks for. */
export async function startIn(root: string, ...command: string[]) {
  const child = Bun.spawn(commandIn(root, command), { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, output: `${stdout}${stderr}` }
}

/** Runs a command in another root to its end, with nothing of our environment. */
export function runIn(root: string, ...command: string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(commandIn(root, command), { env, stdout: 'pipe', stderr: 'pipe' })
  return { code: exitCode, stdout: stdout.toString().trim(), output: `${stdout}${stderr}` }
}

/** Runs a program of this machine to its end. */
export function runHere(...command: string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { stdout: 'pipe', stderr: 'pipe' })
  return { code: exitCode, stdout: stdout.toString().trim(), output: `${stdout}${stderr}` }
}

export const releaseFolder = join(import.meta.dir, '../../../dist/release')
