import { spawnSync } from 'node:child_process'
import { realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { version } from '../../../package.json'
import { dateOf, identify } from '../../../scripts/identity'
import { describeVersion } from '../../../src/server/platform/version'
import { temporaryFolder } from '../../support/app'

const time = '2026-11-23T10:00:00Z'

/** A repository with one commit. */
function startRepository() {
  const folder = realpathSync(temporaryFolder())
  const author = ['-c', 'user.name=Mara', '-c', 'user.email=mara@example.com']
  const env = { ...process.env, GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time }
  const git = (...args: string[]) =>
    spawnSync('git', [...author, ...args], { cwd: folder, env, encoding: 'utf8' }).stdout
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', 'first')
  return { folder, head: git('rev-parse', 'HEAD').slice(0, 8) }
}

const hasGit = Bun.which('git') !== null

test.skipIf(!hasGit)('a build is known by its commit and the date of that', () => {
  const { folder, head } = startRepository()
  expect(head).toHaveLength(8)
  expect(identify({}, folder)).toEqual({ commit: head, epoch: Date.parse(time) / 1000 })
  expect(dateOf(identify({}, folder))).toBe('2026-11-23')
})

test.skipIf(!hasGit)('files that differ from the commit are told', () => {
  const { folder, head } = startRepository()
  writeFileSync(join(folder, 'new.ts'), '')
  expect(identify({}, folder).commit).toBe(`${head} with changes`)
})

test.skipIf(!hasGit)('a repository around the folder says nothing about it', () => {
  const { folder } = startRepository()
  const inner = join(folder, 'inner')
  spawnSync('mkdir', [inner])
  expect(identify({}, inner)).toEqual({ commit: '', epoch: 0 })
})

test('without a repository the environment may tell the commit and its time', () => {
  const folder = temporaryFolder()
  expect(identify({}, folder)).toEqual({ commit: '', epoch: 0 })
  expect(dateOf(identify({}, folder))).toBe('')
  const env = { SOURCE_COMMIT: '1a2b3c4d', SOURCE_DATE_EPOCH: '1795427328' }
  expect(identify(env, folder)).toEqual({ commit: '1a2b3c4d', epoch: 1795427328 })
  expect(() => identify({ SOURCE_DATE_EPOCH: 'today' }, folder)).toThrow('SOURCE_DATE_EPOCH')
})

test('the version line tells commit, date and system, and what is unknown', () => {
  const target = 'linux-x64'
  const line = (commit: string, date: string) => describeVersion({ commit, date, target })
  expect(line('1a2b3c4d', '2026-11-23')).toBe(`castellan ${version} (commit 1a2b3c4d, built 2026-11-23, linux-x64)`)
  expect(line('', '')).toBe(`castellan ${version} (commit unknown, linux-x64)`)
  expect(describeVersion({ commit: '', date: '', target }, 'https://example.com/v1').split('\n')[1]).toBe(
    'https://example.com/v1',
  )
  expect(describeVersion(null)).toBe(`castellan ${version} (not built)`)
})
