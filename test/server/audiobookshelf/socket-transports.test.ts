import { expect, test } from 'bun:test'
import { startTestApp, withPasswords } from '../../support/app'
import { login } from '../../support/audiobookshelf-app'
import { liveApp } from '../../support/live-app'

const ways = [
  { name: 'a websocket', transports: ['websocket'], ends: 'websocket' },
  { name: 'polling', transports: ['polling'], ends: 'polling' },
  { name: 'polling and then a websocket', transports: ['polling', 'websocket'], ends: 'websocket' },
] as const

test.each(ways)('an app connects over $name, signs in and is answered', async ({ transports, ends }) => {
  await using server = await startTestApp({ env: withPasswords })
  const { row } = await server.signUp('anna')
  const { accessToken } = (await login(server, 'anna')).json.user
  using app = liveApp(server.listen(), { transports: [...transports] })
  await app.connected
  if (transports.length === 2) await app.upgraded
  expect(app.transport()).toBe(ends)
  expect(await app.auth(accessToken)).toEqual({ name: 'init', data: { userId: row.uuid, username: 'anna' } })
  app.socket.emit('ping')
  await app.event('pong')
  expect(await app.socket.emitWithAck('anything', 1)).toBeUndefined()
})
