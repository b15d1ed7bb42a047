import { expect, test } from 'bun:test'
import { basic, startTestApp, withPasswords } from '../../support/app'

test('an app claims its password once', async () => {
  await using app = await startTestApp()
  const { appPasswords, admin } = app.context
  const { token, id } = appPasswords.begin('AntennaPod')
  expect(appPasswords.claim(token)).toBeNull()
  expect(appPasswords.grant(id, admin)).toBe(true)
  expect(appPasswords.claim(token)).toMatchObject({ username: admin.username })
  expect(appPasswords.claim(token)).toBeNull()
})

test('a password that its user makes is shown once, and syncs until it is withdrawn', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const anna = await app.signUp('anna')
  const made = await anna.appPasswords.create('Car radio')
  expect(made).toMatchObject({ name: 'Car radio', lastUsedAt: null, lastAddress: null })
  const sync = () => app.fetch('/api/2/devices/anna.json', { headers: { Authorization: basic('anna', made.password) } })
  expect((await sync()).status).toBe(200)

  const [listed] = await anna.appPasswords.list()
  expect(listed).toMatchObject({ id: made.id, name: 'Car radio', lastUsedAt: expect.any(String) })
  expect(JSON.stringify(listed)).not.toContain(made.password)
  await anna.appPasswords.remove(made.id)
  expect((await sync()).status).toBe(401)
})

test('an account has at most fifty app passwords, whichever way they are made', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const anna = await app.signUp('anna')
  const { appPasswords } = app.context
  for (let count = 0; count < 50; count++) appPasswords.create(anna.row, `App ${count}`)
  const refused = { status: 409, code: 'too-many-app-passwords' }
  await expect(anna.appPasswords.create('One more')).rejects.toMatchObject(refused)
  const { id } = appPasswords.begin('Cardo')
  await expect(anna.appPasswords.grant(id)).rejects.toMatchObject(refused)

  const [first] = await anna.appPasswords.list()
  await anna.appPasswords.remove(first!.id)
  await anna.appPasswords.grant(id)
  expect(await anna.appPasswords.list()).toHaveLength(50)
})

test.each(['', 'x'.repeat(101)])('an app password needs a name of up to a hundred characters', async name => {
  await using app = await startTestApp({ env: withPasswords })
  const { appPasswords } = await app.signUp('anna')
  await expect(appPasswords.create(name)).rejects.toMatchObject({ status: 422, code: 'invalid-field' })
})
