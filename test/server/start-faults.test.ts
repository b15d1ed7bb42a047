import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LockDamaged, lockDataFolder } from '../../src/server/platform/instance-lock'
import { explainFault, explainListening } from '../../src/server/start-faults'
import { temporaryFolder } from '../support/app'

const refused = (code: string, message = 'refused') => Object.assign(new Error(message), { code })
const config = { host: '0.0.0.0', port: 443, tls: null }

test('what the system refuses at the start is explained by its code, with what to do', () => {
  for (const [code, advice] of [
    ['SQLITE_FULL', 'Make room'],
    ['EDQUOT', 'Make room'],
    ['SQLITE_READONLY_DIRECTORY', 'Mount its disk for writing'],
    ['SQLITE_CANTOPEN', 'ulimit -n'],
    ['SQLITE_IOERR_READ', 'Examine it'],
    ['EACCES', 'the owner of everything in its folders'],
    ['EMFILE', 'at least to 1024'],
    ['ENFILE', 'fs.file-max'],
  ] as const)
    expect(explainFault(refused(code))).toContain(advice)
  expect(explainFault(refused('EODD', 'odd'))).toBe(
    'Castellan stopped: odd. Set LOG_LEVEL=debug in the environment to see where.',
  )
  expect(explainFault('a word')).toContain('a word')
})

test('a port that only root may use is answered by its name, whatever the system calls that', () => {
  for (const error of [refused('EACCES'), new Error('permission denied 127.0.0.1:443')])
    expect(explainListening(error, config).message).toStartWith('PORT is 443, which only root may use here.')
})

test('a damaged lock is told from a damaged database, and is left alone', () => {
  const path = join(temporaryFolder(), 'castellan.lock')
  const text = 'nothing that SQLite wrote. '.repeat(10)
  writeFileSync(path, text)
  expect(() => lockDataFolder(path)).toThrow(LockDamaged)
  expect(readFileSync(path, 'utf8')).toBe(text)
})
