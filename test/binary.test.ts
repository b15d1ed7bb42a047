import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { version } from '../package.json'
import { DATABASE_FILE } from '../src/server/data-folder'
import { chaosRounds } from './chaos/rounds'
import { transcribingRounds } from './chaos/transcribing'
import { endless } from './server/moving/hostile'
import { basic, temporaryFolder } from './support/app'
import { executable, runCommand, runExecutable, startExecutable } from './support/executable'

test('--help names every variable, --version the version, --licenses everything inside', async () => {
  const help = await runExecutable(['--help'])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  for (const name of ['HOST', 'PORT', 'DATA_DIRECTORY', 'ALLOWED_NETWORKS', 'DISK_RESERVE'])
    expect(help.stdout).toContain(name)
  const line = await runExecutable(['--version'])
  expect(line).toMatchObject({ code: 0, stderr: '' })
  expect(line.stdout).toStartWith(`castellan ${version} (commit `)
  expect(line.stdout.split('\n')[0]).toEndWith(`${process.platform}-${process.arch})`)
  expect((await runExecutable(['--licenses'])).stdout).toContain('GNU LIBRARY GENERAL PUBLIC LICENSE')
})

test('an argument that it does not know is refused with a sentence', async () => {
  expect(await runExecutable(['--frobnicate'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('unknown argument --frobnicate'),
  })
})

test('every mistake in the configuration is told at once, by its name', async () => {
  const { code, stderr } = await runExecutable([], {
    PORT: 'eighty',
    LOG_LEVEL: 'loud',
    BASIC_AUTH: 'perhaps',
    ALLOWED_NETWORKS: 'home',
  })
  expect(code).toBe(1)
  for (const name of ['PORT', 'LOG_LEVEL', 'BASIC_AUTH', 'ALLOWED_NETWORKS'])
    expect(stderr).toContain(`castellan: ${name}`)
})

test('wrong names, a weak password and open mode for everybody stop the server and its commands', async () => {
  // Without a library, the setup would come first.
  const folder = temporaryFolder()
  writeFileSync(join(folder, DATABASE_FILE), '')
  const env = { BASIC_AUHT: 'true', HOST: '0.0.0.0', DATA_DIRECTORY: folder }
  for (const args of [[], ['doctor']]) {
    const { code, stderr } = await runExecutable(args, env)
    expect(code).toBe(1)
    expect(stderr).toContain('castellan: BASIC_AUHT is not a variable of Castellan: did you mean BASIC_AUTH?\n')
    expect(stderr).toContain('castellan: HOST is "0.0.0.0" and nobody has to sign in')
  }
  expect(await runExecutable([], { BASIC_AUTH: 'true', PASSWORD: 'weak' })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^castellan: PASSWORD is easy to guess, .*ALLOW_WEAK_PASSWORD=true\n$/),
  })
})

test('a fault at the start is one line that says what to do, without a stack', async () => {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  for (const name of ['lock-is-folder/castellan.lock', 'damaged-lock', 'fine']) mkdirSync(at(name), { recursive: true })
  writeFileSync(at('damaged-lock/castellan.lock'), 'nothing that SQLite wrote. '.repeat(10))
  writeFileSync(at('file'), 'not PEM')
  using other = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const DATA_DIRECTORY = at('fine')
  const signIn = { BASIC_AUTH: 'true', PASSWORD: 'Sup3rSecret' }
  const faults: [Record<string, string>, string][] = [
    [{ DATA_DIRECTORY: at('lock-is-folder') }, 'A file of the data folder cannot be opened. Make the user'],
    [
      { DATA_DIRECTORY: at('damaged-lock') },
      `${at('damaged-lock/castellan.lock')} is damaged. It contains no data: make sure`,
    ],
    [
      { DATA_DIRECTORY: at('file') },
      `DATA_DIRECTORY is ${at('file')}, which cannot be written to (EEXIST). There is a file`,
    ],
    [{ DATA_DIRECTORY: at('file/below') }, 'cannot be written to (ENOTDIR). There is a file where a folder should be'],
    [{ DATA_DIRECTORY, PORT: String(other.port) }, `Port ${other.port} is in use.`],
    [
      { DATA_DIRECTORY, TLS_CERT: at('none'), TLS_KEY: at('file') },
      `TLS_CERT is ${at('none')}, which cannot be read (ENOENT).`,
    ],
    [
      { DATA_DIRECTORY, TLS_CERT: at('file'), TLS_KEY: at('none') },
      `TLS_KEY is ${at('none')}, which cannot be read (ENOENT).`,
    ],
    [
      { DATA_DIRECTORY, TLS_CERT: at('file'), TLS_KEY: at('file') },
      'TLS_CERT and TLS_KEY are not a certificate and its key',
    ],
    // An address for documents, which no machine has.
    [
      { DATA_DIRECTORY, HOST: '203.0.113.7', ...signIn },
      'HOST is 203.0.113.7, which is not an address of this machine',
    ],
  ]
  for (const [env, expected] of faults) {
    const { code, stderr } = await runExecutable([], { PORT: '0', ...env })
    expect([expected, code, stderr]).toEqual([expected, 1, expect.stringMatching(/^castellan: [^\n]+\n$/)])
    expect(stderr).toContain(expected)
  }
})

test('too few files, a damaged secret and a folder that may not be written to are one line each, too', async () => {
  const folder = temporaryFolder()
  const [begun, closed] = [join(folder, 'begun'), join(folder, 'closed')]
  await (await startExecutable({ DATA_DIRECTORY: begun })).stop()
  writeFileSync(join(begun, 'secret.key'), 'short')
  mkdirSync(closed)
  for (const [path, mode] of [
    [folder, 0o755],
    [closed, 0o555],
  ] as const)
    chmodSync(path, mode)
  // Root may write everywhere, so there the executable runs as somebody else.
  const asPlainUser = process.getuid!() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups', '--'] : []
  const faults: [readonly string[], string, RegExp][] = [
    [
      ['sh', '-c', 'ulimit -n 48; exec "$0"', executable],
      join(folder, 'few'),
      /^castellan: Castellan may open too few files\. Raise .*EMFILE.*\n$/,
    ],
    [[executable], begun, /^castellan: \S+\/secret\.key should hold 32 bytes, it holds 5\. .*\n$/],
    [
      [...asPlainUser, executable],
      closed,
      /^castellan: DATA_DIRECTORY is \S+\/closed, which cannot be written to \(EACCES\)\. Make .*\n$/,
    ],
  ]
  for (const [command, DATA_DIRECTORY, expected] of faults) {
    const env = { DATA_DIRECTORY, PORT: '0', PATH: process.env['PATH']! }
    const { code, stderr } = await runCommand(command, env)
    expect([code, stderr]).toEqual([1, expect.stringMatching(expected)])
  }
})

test('it starts in an empty folder, says where it is, and serves interface and API from one file', async () => {
  const folder = temporaryFolder()
  await using running = await startExecutable({ DATA_DIRECTORY: join(folder, 'data') })
  expect(running.output.join('')).toContain('Open mode')
  expect(await (await fetch(`${running.origin}/healthz`)).text()).toBe('ok')
  const page = await fetch(`${running.origin}/`)
  expect(page.url).toBe(`${running.origin}/ui/`)
  expect(page.headers.get('cache-control')).toBe('no-cache')
  const html = await page.text()
  const asset = /src="(\/ui\/assets\/[^"]+\.js)"/.exec(html)![1]!
  const script = await fetch(`${running.origin}${asset}`)
  expect(script.headers.get('cache-control')).toContain('immutable')
  expect(script.headers.get('content-type')).toContain('javascript')
  expect((await script.text()).length).toBeGreaterThan(100_000)
  expect(await running.api<unknown[]>('/podcasts')).toEqual([])
  const { commit } = await running.api<{ commit: string }>('/info')
  expect((await runExecutable(['--version'])).stdout).toContain(`(commit ${commit || 'unknown'}`)
})

test('variables may come from a file; the environment comes first', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'castellan.env')
  writeFileSync(file, `# comment\nexport LOG_LEVEL="loud"\nDATA_DIRECTORY=${folder}/data\n`)
  expect(await runExecutable(['--config', file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('LOG_LEVEL is "loud"'),
  })
  expect(await runExecutable(['--config', join(folder, 'missing')])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('missing'),
  })
})

test('a second instance on the same data folder is refused, and the first goes on', async () => {
  const folder = temporaryFolder()
  await using running = await startExecutable({ DATA_DIRECTORY: folder })
  expect(await runExecutable([], { DATA_DIRECTORY: folder, PORT: '0' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('another instance uses this data folder'),
  })
  expect((await fetch(`${running.origin}/healthz`)).status).toBe(200)
})

test('a port in use is named', async () => {
  await using running = await startExecutable({ DATA_DIRECTORY: temporaryFolder() })
  const { port } = new URL(running.origin)
  expect(await runExecutable([], { DATA_DIRECTORY: temporaryFolder(), PORT: port })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Port ${port} is in use`),
  })
})

test('a data folder that cannot be written to is named', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  expect(await runExecutable([], { DATA_DIRECTORY: join(file, 'data') })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/DATA_DIRECTORY is .*cannot be written to/),
  })
})

test('copies of the library that a killed process left are gone before the first answer', async () => {
  const folder = temporaryFolder()
  // A number that no process has.
  const copy = join(folder, 'moving', `dry-run-999999999-${crypto.randomUUID()}`)
  mkdirSync(copy, { recursive: true })
  writeFileSync(join(copy, 'castellan.db'), 'a library')
  await using _server = await startExecutable({ DATA_DIRECTORY: folder })
  expect(existsSync(copy)).toBe(false)
})

test('it stops when it is asked to, with a socket open', async () => {
  const running = await startExecutable({ DATA_DIRECTORY: temporaryFolder() })
  const socket = new WebSocket(`${running.origin.replace('http', 'ws')}/ws`)
  await new Promise(resolve => (socket.onopen = resolve))
  expect(await running.stop()).toBe(0)
  expect(running.output.join('')).toMatch(/ info  Stopped\n$/)
})

test('killed in the middle of everything, again and again, it loses nothing', async () => {
  const { violations, acknowledged, kills } = await chaosRounds({ rounds: 3, seed: 7 })
  expect(violations).toEqual([])
  expect(acknowledged).toBeGreaterThan(0)
  expect(kills.downloading).toBeGreaterThan(0)
}, 120_000)

test('killed with its media in a bucket, it leaves no object without a row, and no row without an object', async () => {
  const { violations, kills } = await chaosRounds({ rounds: 3, seed: 11, storage: 's3', find: () => null })
  expect(violations).toEqual([])
  expect(kills.downloading).toBeGreaterThan(0)
}, 120_000)

test('killed while it transcribes, it sends no file again whose answer it had kept', async () => {
  const { violations, received } = await transcribingRounds({ files: 4, kills: 5, seed: 5 })
  expect(violations).toEqual([])
  expect(received).toBeGreaterThanOrEqual(4)
}, 120_000)

test('accounts can be made from the command line while it runs, the password read from standard input', async () => {
  const env = { DATA_DIRECTORY: temporaryFolder(), BASIC_AUTH: 'true', USERNAME: 'root', PASSWORD: 'Sup3rSecret' }
  await using running = await startExecutable(env)
  expect(running.output.join('')).not.toContain('Open mode')
  const added = await runExecutable(['users', 'add', 'mara', '--role', 'uploader'], env, 'Corr3ctHorse\n')
  expect(added).toMatchObject({ code: 0, stderr: '' })
  const answer = await fetch(`${running.origin}/api/v1/users/me`, {
    headers: { Authorization: basic('mara', 'Corr3ctHorse') },
  })
  expect(await answer.json()).toMatchObject({ username: 'mara', role: 'uploader' })
  const help = await runExecutable(['users', 'add', '--help'], env)
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('castellan users add NAME')])
  expect(help.stdout).not.toContain('castellan import')
  expect(await runExecutable(['users', 'add', 'nils'], env, 'weak')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('at least 8 characters'),
  })
})

test.skipIf(process.platform !== 'linux')(
  'a file to move in is read by a confined process, which ends with the server',
  async () => {
    const folder = temporaryFolder()
    const running = await startExecutable({ DATA_DIRECTORY: folder })
    await running.api('/moves', { path: endless() })
    const isConfined = (pid: string) => /^Seccomp:\s+2$/m.test(about(pid, 'status'))
    const [reader] = await until(() => childrenOf(running.process.pid).filter(isConfined))
    expect(about(reader!, 'cmdline')).toEndWith('\0read-foreign-files\0')
    expect(about(reader!, 'limits')).toMatch(/^Max address space +\d+ /m)
    expect(about(reader!, 'environ')).not.toContain('DATA_DIRECTORY')
    running.process.kill('SIGKILL')
    await running.process.exited
    await until(() => (/\) [^Z] /.test(about(reader!, 'stat')) ? [] : ['gone']))
  },
)

/** Reads a field of a process from Linux; empty = it has ended. */
function about(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

const childrenOf = (parent: number) =>
  readdirSync('/proc').filter(pid => /^\d+$/.test(pid) && about(pid, 'status').includes(`\nPPid:\t${parent}\n`))

/** Asks until there is something. */
async function until<T>(ask: () => T[]): Promise<T[]> {
  for (;;) {
    const found = ask()
    if (found.length > 0) return found
    await Bun.sleep(10)
  }
}
