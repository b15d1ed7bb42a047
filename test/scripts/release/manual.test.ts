import { gunzipSync } from 'node:zlib'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'bun:test'
import { completions, wordsOf } from '../../../scripts/release/completions'
import { manualPages } from '../../../scripts/release/manual'
import { commandTable } from '../../../src/server/cli/help'
import { commands } from '../../../src/server/cli/arguments'
import { variables } from '../../../src/server/config'
import { temporaryFolder } from '../../support/app'

const textOf = (entry: object) => ('content' in entry ? Buffer.from(entry.content as string) : Buffer.alloc(0))

/** Writes completions and pages to disk as a package installs them, pages unpacked. */
function install() {
  const folder = temporaryFolder()
  const files = [
    ...completions().map(entry => ({ path: entry.path, text: textOf(entry) })),
    ...manualPages(1000).map(entry => ({ path: entry.path.replace(/\.gz$/, ''), text: gunzipSync(textOf(entry)) })),
  ]
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return { folder, files: files.map(({ path, text }) => ({ path: join(folder, path), text: text.toString() })) }
}

const run = (...command: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { stdout: 'pipe', stderr: 'pipe' })
  return { code: exitCode, output: `${stdout}${stderr}` }
}

test('every command has a manual page with its usage, and the first page lists every variable', () => {
  const { files } = install()
  const page = (name: string) => files.find(({ path }) => path.endsWith(`/man1/${name}.1`))!.text
  for (const name of commands) {
    expect(page('castellan')).toContain(`castellan\\-${name.replaceAll('-', '\\-')}(1)`)
    expect(page(`castellan-${name}`)).toContain(`castellan ${name.replaceAll('-', '\\-')}`)
  }
  for (const { name } of variables) expect(page('castellan')).toContain(`\n.B ${name}\n`)
})

test('each shell completes every command with its words and options', () => {
  const scripts = install().files.filter(({ path }) => !path.includes('/man1/'))
  expect(scripts).toHaveLength(3)
  for (const { path, text } of scripts)
    for (const { name, actions, options } of commandTable().map(wordsOf))
      for (const word of [name, ...actions, ...options.map(one => one.name.replace(/^--/, ''))])
        expect([path, word, text.includes(word)]).toEqual([path, word, true])
  const { actions, options } = wordsOf(commandTable().find(({ name }) => name === 'users')!)
  expect(actions).toContain('set-password')
  expect(options).toContainEqual({ name: '--role', values: ['admin', 'uploader', 'user'] })
})

test.skipIf(!Bun.which('bash'))('bash offers commands, then the words of one, then the values of an option', () => {
  const script = install().files.find(({ path }) => path.includes('bash-completion'))!.path
  const complete = (...words: string[]) => {
    const line = `. ${script}; COMP_WORDS=(castellan ${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _castellan; echo "\${COMPREPLY[*]}"`
    return run('bash', '-c', line).output.trim()
  }
  expect(complete('us')).toBe('users')
  expect(complete('users', 'set')).toBe('set-password')
  expect(complete('users', 'add', 'mara', '--role', 'u')).toBe('uploader user')
  expect(complete('--config', 'x.env', 'doctor', '--')).toBe('--repair')
})

const checkers: [program: string, pattern: RegExp, command: string[]][] = [
  ['mandoc', /\.1$/, ['mandoc', '-Tlint', '-W', 'warning']],
  ['bash', /bash-completion/, ['bash', '-n']],
  ['zsh', /zsh/, ['zsh', '-n']],
  ['fish', /\.fish$/, ['fish', '--no-execute']],
]
for (const [program, pattern, command] of checkers)
  test.skipIf(!Bun.which(program))(`${program} finds no fault in what it reads`, () => {
    const { files } = install()
    const read = files.filter(({ path }) => pattern.test(path))
    expect(read.length).toBeGreaterThan(0)
    for (const { path } of read) expect([path, run(...command, path)]).toEqual([path, { code: 0, output: '' }])
  })
