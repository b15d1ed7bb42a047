import { expect, test } from 'bun:test'
import { startTestApp, withPasswords, type TestApp } from '../../../../support/app'
import { login } from '../../../../support/audiobookshelf-app'
import { engineAt } from '../../../../support/engine'

const PAUSE = '\u001E'
const start = () => startTestApp({ env: withPasswords })

async function tokenOf(server: TestApp, username: string): Promise<string> {
  await server.signUp(username)
  return (await login(server, username)).json.user.accessToken
}

test('the handshake announces what this server does', async () => {
  await using server = await start()
  const engine = engineAt(server.listen())
  const { status, text, headers } = await engine.open()
  expect([status, text[0], headers.get('content-type')]).toEqual([200, '0', 'text/plain;charset=UTF-8'])
  const handshake = { sid: expect.any(String), pingInterval: 25_000, pingTimeout: 20_000, maxPayload: 4096 }
  expect(JSON.parse(text.slice(1))).toEqual({ ...handshake, upgrades: ['websocket'] })
  using socket = await engine.socket()
  expect(JSON.parse((await socket.frame('0')).slice(1))).toEqual({ ...handshake, upgrades: [] })
  socket.send('40')
  const connected = JSON.parse((await socket.frame('40')).slice(2))
  expect(connected.sid).not.toBe(JSON.parse(socket.frames[0]!.slice(1)).sid)
})

test('requests that are none of the protocol are refused by its codes', async () => {
  await using server = await start()
  const engine = engineAt(server.listen())
  const refusal = async (query: string, init?: RequestInit) => {
    const { status, text } = await engine.call(query, init)
    return [status, JSON.parse(text)]
  }
  expect(await refusal('EIO=4')).toEqual([400, { code: 0, message: 'Transport unknown' }])
  expect(await refusal('EIO=4&transport=flashsocket')).toEqual([400, { code: 0, message: 'Transport unknown' }])
  expect(await refusal('EIO=4&transport=polling&sid=none')).toEqual([400, { code: 1, message: 'Session ID unknown' }])
  expect(await refusal('EIO=4&transport=polling', { method: 'POST', body: '40' })).toEqual([
    400,
    { code: 2, message: 'Bad handshake method' },
  ])
  expect(await refusal('EIO=4&transport=websocket')).toEqual([400, { code: 3, message: 'Bad request' }])
  for (const version of ['EIO=3', 'EIO=5', 'EIO=', 'x=1'])
    expect(await refusal(`${version}&transport=polling`)).toEqual([
      400,
      { code: 5, message: 'Unsupported protocol version' },
    ])
  expect((await engine.socket('EIO=4&transport=websocket&sid=none')).isOpen).toBe(false)
  expect((await engine.socket('EIO=3&transport=websocket')).isOpen).toBe(false)
  expect((await engine.call('EIO=4&transport=polling', { method: 'HEAD' })).status).toBe(400)
})

test('a poll waits for news, and one POST carries several packets', async () => {
  await using server = await start()
  const engine = engineAt(server.listen())
  const token = await tokenOf(server, 'anna')
  const sid = await engine.sid()
  const waiting = engine.poll(sid)
  const sent = await engine.post(sid, ['40', `42${JSON.stringify(['auth', token])}`, 'bAQID', '42["ping"]'].join(PAUSE))
  expect([sent.status, sent.text]).toEqual([200, 'ok'])
  const packets = (await waiting).text.split(PAUSE)
  if (packets.length < 3) packets.push(...(await engine.poll(sid)).text.split(PAUSE))
  expect(packets.map(packet => packet.slice(0, 8))).toEqual(['40{"sid"', '42["init', '42["pong'])
  await engine.post(sid, '1')
  expect((await engine.poll(sid)).status).toBe(400)
})

test('two polls at once end the session, and so does one that is given up', async () => {
  await using server = await start()
  const engine = engineAt(server.listen())
  const sid = await engine.sid()
  const [one, other] = await Promise.all([engine.poll(sid), engine.poll(sid)])
  expect([one, other].map(({ status, text }) => (status === 200 ? text : JSON.parse(text).code)).toSorted()).toEqual([
    '1',
    3,
  ])
  expect((await engine.poll(sid)).text).toContain('Session ID unknown')

  const left = await engine.sid()
  await engine.post(left, '40')
  await engine.poll(left)
  const gone = new AbortController()
  const poll = engine.poll(left, gone.signal).catch(() => 'given up')
  await engine.post(left, '3')
  gone.abort()
  expect(await poll).toBe('given up')
  // Fewer than what ends a session by itself.
  let posts = 0
  while (posts < 150 && (await engine.post(left, '3')).status === 200) posts++
  expect(posts).toBeLessThan(150)
})

test('a session has one websocket; a second one is refused and harms nothing', async () => {
  await using server = await start()
  const engine = engineAt(server.listen())
  const sid = await engine.sid()
  const waiting = engine.poll(sid)
  const query = `EIO=4&transport=websocket&sid=${sid}`
  using first = await engine.socket(query)
  expect((await engine.socket(query)).isOpen).toBe(false)
  first.send('2probe')
  expect(await first.frame('3')).toBe('3probe')
  expect((await waiting).text).toBe('6')
  expect((await engine.poll(sid)).text).toBe('6')
  // What is said meanwhile waits for the websocket.
  await engine.post(sid, '40')
  first.send('5')
  await first.frame('40')
  expect((await engine.socket(query)).isOpen).toBe(false)
  expect((await engine.poll(sid)).status).toBe(400)
  expect((await engine.post(sid, '42["ping"]')).status).toBe(400)
  first.send('42["ping"]')
  await first.frame('42["pong"]')

  using direct = await engine.socket()
  const own = JSON.parse((await direct.frame('0')).slice(1)).sid
  expect((await engine.socket(`EIO=4&transport=websocket&sid=${own}`)).isOpen).toBe(false)
  direct.send('40')
  await direct.frame('40')
})

test.each(['5', '2', '40', 'x', '3probe'])(
  'a websocket that says %p before its probe leaves the session polling',
  async said => {
    await using server = await start()
    const engine = engineAt(server.listen())
    const sid = await engine.sid()
    const socket = await engine.socket(`EIO=4&transport=websocket&sid=${sid}`)
    socket.send(said)
    await socket.closed
    await engine.post(sid, '40')
    expect((await engine.poll(sid)).text).toStartWith('40{')
  },
)

test('a websocket that goes before it took over leaves the session polling, with all that waits', async () => {
  await using server = await start()
  const engine = engineAt(server.listen())
  const sid = await engine.sid()
  const socket = await engine.socket(`EIO=4&transport=websocket&sid=${sid}`)
  socket.send('2probe')
  await socket.frame('3probe')
  await engine.post(sid, '40')
  socket.close()
  await socket.closed
  let text = '6'
  while (text === '6') ({ text } = await engine.poll(sid))
  expect(text).toStartWith('40{')
})

test('another namespace is refused, and nothing is heard before the connection', async () => {
  await using server = await start()
  const engine = engineAt(server.listen())
  using socket = await engine.socket()
  socket.send('40/admin,')
  expect(await socket.frame('44')).toBe('44/admin,{"message":"Invalid namespace"}')
  socket.send('42["ping"]')
  await socket.closed
  expect(socket.frames).toHaveLength(2)
  using twice = await engine.socket()
  for (let times = 0; times < 2; times++) twice.send('40')
  expect(await twice.closed).toBe(1002)
})

test('an event that wants an answer gets one; events that nobody knows, and binary ones, are ignored', async () => {
  await using server = await start()
  using socket = await engineAt(server.listen()).socket()
  for (const text of ['40', '4217["unknown",1]', '451-["x",{"_placeholder":true,"num":0}]', '461-7[]', '437["x"]'])
    socket.send(text)
  socket.send(new Uint8Array([1, 2, 3]))
  socket.send('42["ping"]')
  await socket.frame('42["pong"]')
  expect(socket.frames.slice(2)).toEqual(['4317[]', '42["pong"]'])
})

test('after `41` or `1` the connection is over', async () => {
  await using server = await start()
  const engine = engineAt(server.listen())
  for (const last of ['41', '1']) {
    const socket = await engine.socket()
    socket.send('40')
    await socket.frame('40')
    socket.send(last)
    expect(await socket.closed).toBe(1000)
  }
})

test('a body of more than 4 KB ends its session, whether its length is told or not', async () => {
  await using server = await start()
  const engine = engineAt(server.listen())
  const long = `42["x","${'y'.repeat(5000)}"]`
  const told = await engine.sid()
  expect((await engine.post(told, long)).status).toBe(413)
  const untold = await engine.sid()
  const stream = new ReadableStream({
    start(controller) {
      for (let at = 0; at < long.length; at += 1000)
        controller.enqueue(new TextEncoder().encode(long.slice(at, at + 1000)))
      controller.close()
    },
  })
  expect((await engine.post(untold, stream)).status).toBe(413)
  for (const sid of [told, untold]) expect((await engine.poll(sid)).text).toContain('Session ID unknown')
  using socket = await engine.socket()
  socket.send(long)
  expect(await socket.closed).toBeOneOf([1006, 1009])
})
