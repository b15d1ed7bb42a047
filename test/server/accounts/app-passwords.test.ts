import { expect, test } from 'bun:test'
import { startTestApp } from '../../support/app'

test('an app claims its password once', async () => {
  await using app = await startTestApp()
  const { appPasswords, admin } = app.context
  const { token, id } = appPasswords.begin('AntennaPod')
  expect(appPasswords.claim(token)).toBeNull()
  expect(appPasswords.grant(id, admin)).toBe(true)
  expect(appPasswords.claim(token)).toMatchObject({ username: admin.username })
  expect(appPasswords.claim(token)).toBeNull()
})

test('the sessions that podcast apps got by an API key end with it', async () => {
  await using app = await startTestApp()
  const { admin, sessions, users } = app.context
  const token = sessions.startSync(admin)
  expect(sessions.syncOwnerOf(token)).toMatchObject({ id: admin.id })
  users.dropApiKey(admin)
  expect(sessions.syncOwnerOf(token)).toBeNull()
})
