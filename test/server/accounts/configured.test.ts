import { expect, test } from 'bun:test'
import { refusal, startTestApp, temporaryFolder, withPasswords } from '../../support/app'

test('turning sign-in on ends the keys and invitations that anybody could make in open mode', async () => {
  const folder = temporaryFolder()
  let invite: string
  let feedKey: string
  {
    await using open = await startTestApp({ folder })
    const { admin, feedKeys, invites, store, users } = open.context
    await users.edit(admin, { apiKey: '0f1e2d3c4b5a69788796a5b4c3d2e1f0' })
    expect(store.users.find(admin.id)!.api_key_hash).not.toBeNull()
    feedKey = feedKeys.of(admin)
    invite = invites.create('admin', true).id
  }
  await using app = await startTestApp({ folder, env: withPasswords })
  const { admin, feedKeys, invites, store } = app.context
  const now = store.users.find(admin.id)!
  expect(now.api_key_hash).toBeNull()
  expect(feedKeys.of(now)).not.toBe(feedKey)
  const accepted = invites.accept({ username: 'mallory', password: 'Corr3ctHorse', inviteId: invite })
  expect(await refusal(accepted)).toMatchObject({ code: 'invite-not-found' })
})
