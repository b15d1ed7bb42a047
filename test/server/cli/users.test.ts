import { expect, test } from 'bun:test'
import { runUsersCommand } from '../../../src/server/cli/users'
import { readConfig } from '../../../src/server/config'
import { openDataFolder } from '../../../src/server/data-folder'
import { temporaryFolder, withPasswords } from '../../support/app'

test('a change of an account is made as a whole or not at all', async () => {
  const folder = temporaryFolder()
  const config = readConfig({ DATA_DIRECTORY: folder, ...withPasswords })
  const users = (...args: string[]) =>
    runUsersCommand(args, config, { print: () => {}, readPassword: async () => 'Corr3ctHorse' })
  await users('add', 'alice')
  await users('add', 'bob')
  await expect(users('update', 'alice', '--role', 'uploader', '--name', 'bob')).rejects.toThrow(/taken/)
  const { store } = openDataFolder(folder)
  expect(store.users.require('alice').role).toBe('user')
  store.close()
  await users('update', 'alice', '--role', 'uploader', '--name', 'carol')
  const after = openDataFolder(folder).store
  expect([after.users.require('carol').role, after.users.findByName('alice')]).toEqual(['uploader', null])
  after.close()
})
