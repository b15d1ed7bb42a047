import { expect, test } from 'bun:test'
import { parseArguments, UsageError } from '../../../src/server/cli/arguments'
import { parseUsersCommand } from '../../../src/server/cli/users'

const parse = (line: string) => parseArguments(line.split(' ').filter(Boolean))

test('a command line starts the server, asks for help, or runs a command with its arguments', () => {
  expect(parse('')).toEqual({ name: 'serve', configFile: null })
  expect(parse('--config a.conf')).toEqual({ name: 'serve', configFile: 'a.conf' })
  expect(parse('--config=a=b.conf')).toEqual({ name: 'serve', configFile: 'a=b.conf' })
  expect(parse('--version')).toMatchObject({ name: 'version' })
  expect(parse('--help')).toEqual({ name: 'help', of: null, configFile: null })
  expect(parse('users list -h')).toEqual({ name: 'help', of: 'users', configFile: null })
  expect(parse('--config a.conf users add bob')).toEqual({ name: 'users', args: ['add', 'bob'], configFile: 'a.conf' })
  // It may stand behind the command as well; everything else there belongs to the command.
  expect(parse('doctor --config a.conf --repair')).toEqual({
    name: 'doctor',
    args: ['--repair'],
    configFile: 'a.conf',
  })
  expect(parse('users add --config=a.conf bob')).toEqual({ name: 'users', args: ['add', 'bob'], configFile: 'a.conf' })
  expect(parse('backup -- --config')).toEqual({ name: 'backup', args: ['--', '--config'], configFile: null })
})

test.each(['--config', '--config=', 'backup --config', '--frobnicate', 'serve'])('%s is not understood', line => {
  expect(() => parse(line)).toThrow(UsageError)
})

test('options of an account are read, and a wrong one is refused', () => {
  expect(parseUsersCommand(['add', 'bob', '--role', 'uploader', '--explicit', 'no'])).toEqual({
    action: 'add',
    username: 'bob',
    options: { role: 'uploader', explicit: false, newName: undefined, assistants: undefined },
  })
  expect(parseUsersCommand(['list'])).toMatchObject({ action: 'list', username: '' })
  for (const wrong of [
    ['add', 'bob', '--role', 'king'],
    ['add', 'bob', '--explicit', 'maybe'],
    ['add', 'bob', '--wat'],
    [],
    ['add'],
    ['list', 'bob'],
    ['add', 'bob', 'builder'],
  ])
    expect(() => parseUsersCommand(wrong)).toThrow(UsageError)
})
