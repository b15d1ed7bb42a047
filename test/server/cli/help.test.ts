import { expect, test } from 'bun:test'
import { commands, parseArguments } from '../../../src/server/cli/arguments'
import { commandHelp, helpText } from '../../../src/server/cli/help'

/** The commands whose usage a text contains. */
const usedIn = (text: string) =>
  commands.filter(name => new RegExp(`^  castellan ${name}( |$)`, 'm').test(text.split('\nExample:')[0]!))

test.each([...commands])('%s --help prints its own usage and an example, and nothing of other commands', name => {
  expect(parseArguments([name, '--help'])).toEqual({ name: 'help', of: name, configFile: null })
  const text = commandHelp(name)
  expect(usedIn(text)).toEqual([name])
  expect(text).not.toContain('DATA_DIRECTORY')
  const [, example] = /^Example:\n {2}castellan (.+)$/m.exec(text)!
  expect(parseArguments(example!.split(' '))).toMatchObject({ name })
})

test('--help without a command prints the usage of all', () => {
  expect(usedIn(helpText())).toEqual([...commands])
})

test('the help of every command, and the whole, fit a terminal of 80 columns', () => {
  const texts = [helpText(), ...commands.map(commandHelp)]
  const long = texts.flatMap(text => text.split('\n')).filter(line => line.length > 80)
  expect(long.filter(line => !/\S{70,}/.test(line))).toEqual([])
})
