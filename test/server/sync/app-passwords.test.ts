import { expect, test } from 'bun:test'
import { refusal } from '../../support/app'
import { appOf, beginLoginFlow, start, type Granted } from '../../support/podcast-app'

async function grant({ app, user }: Awaited<ReturnType<typeof start>>) {
  const flow = await beginLoginFlow(app, 'AntennaPod/3.9')
  expect(await user.appPasswords.asking(flow.id)).toEqual({ app: 'AntennaPod/3.9' })
  await user.appPasswords.grant(flow.id)
  expect(await refusal(user.appPasswords.grant(flow.id))).toMatchObject({ status: 404 })
  const { loginName, appPassword } = (await (await flow.pollAsForm()).json()) as Granted
  return { phone: appOf(app, loginName, appPassword), appPassword }
}

test('what an app was granted is listed with its use, and good for sync alone', async () => {
  await using running = await start()
  const { now, user } = running
  const { phone } = await grant(running)
  expect((await phone.cloud('GET', 'subscriptions')).status).toBe(200)
  expect((await phone.devices()).status).toBe(200)
  expect((await phone.call('GET', '/api/v1/podcasts')).status).toBe(401)
  const lastUsedAt = new Date(now()).toISOString()
  expect(await user.appPasswords.list()).toMatchObject([{ name: 'AntennaPod/3.9', lastUsedAt }])
})

test('what an app was granted can be taken back by its user alone, and with it what the app got by it', async () => {
  await using running = await start()
  const { app, user } = running
  const { phone } = await grant(running)
  const { cookie } = await phone.cloud('GET', 'subscriptions')
  const [listed] = await user.appPasswords.list()
  const bob = await app.signUp('bob')
  expect(await refusal(bob.appPasswords.remove(listed!.id))).toMatchObject({ status: 404 })
  expect((await phone.devices()).status).toBe(200)
  await user.appPasswords.remove(listed!.id)
  expect((await phone.cloud('GET', 'subscriptions')).status).toBe(401)
  expect((await phone.devices({ headers: { Cookie: `sessionid=${cookie}` } })).status).toBe(401)
})

test('a request for access expires after twenty minutes', async () => {
  await using running = await start()
  const { app, now, user } = running
  const late = await beginLoginFlow(app, 'AntennaPod/3.9')
  now.advance(19 * 60_000)
  expect(await user.appPasswords.asking(late.id)).toEqual({ app: 'AntennaPod/3.9' })
  now.advance(2 * 60_000)
  expect(await refusal(user.appPasswords.asking(late.id))).toMatchObject({ status: 404 })
})

test('when an API key is dropped, what an app got by it ends', async () => {
  await using running = await start()
  const { app, alice, user } = running
  const apiKey = '0123456789abcdef0123456789abcd3e'
  await user.users.edit('alice', { apiKey })
  const { cookie } = await appOf(app, 'alice', apiKey).devices()
  await user.users.removeApiKey()
  expect((await alice.devices({ headers: { Cookie: `sessionid=${cookie}` } })).status).toBe(401)
})

test('the cookie of an app is good for sync and nothing else', async () => {
  await using running = await start()
  const { alice } = running
  const { cookie } = await alice.devices()
  const headers = { Cookie: `castellan=${cookie}; sessionid=${cookie}` }
  expect((await alice.call('GET', '/api/v1/podcasts', { headers })).status).toBe(401)
  expect((await alice.devices({ headers })).status).toBe(200)
})
