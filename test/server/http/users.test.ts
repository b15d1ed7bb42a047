import { expect, test } from 'bun:test'
import { refusal, startTestApp, withPasswords } from '../../support/app'

test('only an admin sees the account of somebody else; for others it does not exist', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const root = app.as('root', 'Sup3rSecret')
  const alice = await app.signUp('alice')
  const bob = await app.signUp('bob', 'uploader')
  expect(await root.client.get('/users/alice')).toMatchObject({ username: 'alice', role: 'user' })
  expect(await alice.client.get('/users/ALICE')).toMatchObject({ username: 'alice', readOnly: false })
  for (const name of ['bob', 'root', 'nobody'])
    expect(await refusal(alice.client.get(`/users/${name}`))).toMatchObject({ status: 404, code: 'user-not-found' })
  expect(await refusal(bob.client.get('/users/alice'))).toMatchObject({ status: 404, code: 'user-not-found' })
})
