import { expect, test } from 'bun:test'
import { socketLimits } from '../../../../../src/server/http/apps/audiobookshelf/socket/wire'
import { converse } from '../../../../../src/server/http/apps/audiobookshelf/socket'
import type { Peers } from '../../../../../src/server/http/apps/audiobookshelf/socket/peers'
import { createSessions } from '../../../../../src/server/http/apps/audiobookshelf/socket/sessions'
import {
  end,
  receive,
  sendMessage,
  type Session,
} from '../../../../../src/server/http/apps/audiobookshelf/socket/session'
import { createLog } from '../../../../../src/server/platform/log'
import { startTestApp, withPasswords, type TestApp } from '../../../../support/app'
import { appAt, login } from '../../../../support/audiobookshelf-app'
import { engineAt, type RawSocket } from '../../../../support/engine'
import { signedInLiveApp } from '../../../../support/live-app'
import { startRandom } from '../../../../support/random'
import { openBeside } from '../../../../support/other-writer'

// The limits of the socket that apps keep open: first without connections on a clock moved by hand, then in a server.

const MIB = 1024 * 1024

const marked = (userId: number) =>
  ({ type: 'episodesMarked', userId, podcastId: 1, episodeIds: [], source: 'library' }) as const

/** Sessions over connections that are not there, on a clock that is moved by hand. */
function startSessions(limits: Partial<typeof socketLimits> = {}) {
  let now = 0
  const ended: Session[] = []
  const sessions = createSessions({
    limits: { ...socketLimits, tickMs: 3_600_000, ...limits },
    elapsed: () => now,
    onOpen: () => {},
    onEnd: session => ended.push(session),
    onTick: () => {},
  })
  function connect(address = 'here') {
    const frames: string[] = []
    const closed: number[] = []
    const line = { waiting: 0 }
    const session = sessions.open(address, {
      send: text => frames.push(text),
      close: code => closed.push(code),
      bufferedBytes: () => line.waiting,
    })
    return { session: session!, frames, closed, line, last: () => frames.at(-1) }
  }
  return {
    ...sessions,
    ended,
    connect,
    after(ms: number) {
      now += ms
      sessions.tick()
    },
  }
}

test('a client is pinged, and one that does not answer in time is cut', () => {
  const sessions = startSessions()
  const [lively, dead] = [sessions.connect(), sessions.connect()]
  for (const { session } of [lively, dead]) session.signInBy = null
  sessions.after(24_999)
  expect(lively.last()).toStartWith('0')
  sessions.after(1)
  expect([lively.last(), dead.last()]).toEqual(['2', '2'])
  receive(lively.session, '3')
  sessions.after(19_999)
  expect([lively.closed, dead.closed]).toEqual([[], []])
  sessions.after(1)
  expect([lively.closed, dead.closed]).toEqual([[], [1013]])
  sessions.after(5000)
  expect(lively.frames.filter(frame => frame === '2')).toHaveLength(2)
  expect(sessions.all.size).toBe(1)
  sessions.close()
})

test('whoever has not signed in after half a minute is cut', () => {
  const sessions = startSessions()
  const { session, closed } = sessions.connect()
  sessions.after(29_999)
  expect(closed).toEqual([])
  receive(session, '3')
  sessions.after(1)
  expect(closed).toEqual([1013])
})

test('strangers make room for one another, of their own address first; whoever is signed in stays', () => {
  const sessions = startSessions({ connections: 6, strangersPerAddress: 3 })
  const known = sessions.connect('a')
  known.session.signInBy = null
  const own = [sessions.connect('a'), sessions.connect('a'), sessions.connect('a')]
  const other = sessions.connect('b')
  sessions.connect('a')
  expect(own.map(({ closed }) => closed.length)).toEqual([1, 0, 0])
  sessions.connect('c')
  sessions.connect('c')
  expect(own.map(({ closed }) => closed.length)).toEqual([1, 1, 0])
  expect([known.closed, other.closed]).toEqual([[], []])
  expect(sessions.all.size).toBe(6)
  for (const session of sessions.all.values()) session.signInBy = null
  expect(sessions.open('d', null)).toBeNull()
  sessions.close()
})

test('a client that does not read is cut, whatever it is connected by, and others read on', () => {
  const sessions = startSessions()
  const [slow, quick] = [sessions.connect(), sessions.connect()]
  slow.line.waiting = MIB + 1
  quick.line.waiting = MIB
  const polling = sessions.open('here', null)!
  const many = sessions.open('here', null)!
  for (let at = 0; at < 2; at++) sendMessage(polling, 'x'.repeat(MIB / 2))
  for (let at = 0; at < 999; at++) sendMessage(many, 'x')
  for (const { session } of [slow, quick]) sendMessage(session, '2["news"]')
  expect([slow.closed, slow.frames.length]).toEqual([[1013], 1])
  expect([quick.closed, quick.last()]).toEqual([[], '42["news"]'])
  expect([polling.isOver, many.isOver]).toEqual([false, false])
  for (const session of [polling, many]) sendMessage(session, 'x')
  expect([polling.isOver, many.isOver]).toEqual([true, true])
  sessions.close()
})

test('a client that talks without end is cut, one that talks in turn is not', () => {
  const sessions = startSessions()
  const { session, closed } = sessions.connect()
  for (let round = 0; round < 5; round++) {
    for (let at = 0; at < 200; at++) receive(session, '42["ping"]')
    sessions.after(1)
  }
  expect(closed).toEqual([])
  for (let at = 0; at < 201; at++) receive(session, '42["ping"]')
  expect(closed).toEqual([1002])
})

test('ten thousand connections that come and go leave nothing behind, not even a timer', () => {
  const timers = new Set<unknown>()
  const { setInterval: begin, clearInterval: stop } = globalThis
  globalThis.setInterval = ((work: () => void, ms: number) => {
    const timer = begin(work, ms)
    timers.add(timer)
    return timer
  }) as typeof setInterval
  globalThis.clearInterval = ((timer: Timer) => {
    timers.delete(timer)
    stop(timer)
  }) as typeof clearInterval
  try {
    const sessions = startSessions()
    for (let at = 0; at < 10_000; at++) {
      const [one, other] = [sessions.connect(String(at)), sessions.open(String(at), null)!]
      expect(timers.size).toBe(1)
      end(one.session, 1000)
      end(other, 1000)
      expect([sessions.all.size, timers.size]).toEqual([0, 0])
    }
    expect(sessions.ended).toHaveLength(20_000)
  } finally {
    Object.assign(globalThis, { setInterval: begin, clearInterval: stop })
  }
})

test('an app that stays silent and one that never signs in are cut by a running server', async () => {
  await using server = await startTestApp({
    env: withPasswords,
    socketLimits: { pingMs: 10, pongMs: 10, signInMs: 60_000, tickMs: 5 },
  })
  using silent = await engineAt(server.listen()).socket()
  await silent.frame('2')
  expect(await silent.closed).toBe(1013)
  await using strict = await startTestApp({ env: withPasswords, socketLimits: { signInMs: 20, tickMs: 5 } })
  const engine = engineAt(strict.listen())
  using stranger = await engine.socket()
  stranger.send('40')
  expect(await stranger.closed).toBe(1013)
  // Before the poll or while it waits.
  const { text } = await engine.poll(await engine.sid())
  expect(['1', '{"code":1,"message":"Session ID unknown"}']).toContain(text)
})

test('a websocket that never takes over is closed, and its session polls on', async () => {
  await using server = await startTestApp({ env: withPasswords, socketLimits: { upgradeMs: 10, tickMs: 5 } })
  const engine = engineAt(server.listen())
  const sid = await engine.sid()
  using socket = await engine.socket(`EIO=4&transport=websocket&sid=${sid}`)
  expect(await socket.closed).toBe(1013)
  await engine.post(sid, '40')
  expect((await engine.poll(sid)).text).toStartWith('40{')
})

test('whoever tries one token after another is cut', async () => {
  await using server = await startTestApp({ env: withPasswords })
  using socket = await engineAt(server.listen()).socket()
  socket.send('40')
  for (let times = 0; times < 21; times++) socket.send('42["auth","wrong"]')
  expect(await socket.closed).toBe(1002)
  expect(socket.frames.filter(frame => frame.startsWith('42["auth_failed"'))).toHaveLength(20)
})

test('a failure of the server ends that connection alone, and is logged', async () => {
  const lines: string[] = []
  const untold = Promise.withResolvers<void>()
  const log = createLog('debug', 'text', line => {
    lines.push(line)
    if (line.includes('Apps could not be notified')) untold.resolve()
  })
  await using server = await startTestApp({ env: withPasswords, log, socketLimits: { settleMs: 1 } })
  const { appSessions, store } = server.context
  const user = server.context.users.add({ username: 'anna', role: 'user', explicit_consent: 0 })
  const { access } = appSessions.start(user, nobodysApp)
  const origin = server.listen()
  using good = await connect(origin, access)
  const { accessOf } = appSessions
  const failing = () => {
    throw new Error('disk I/O error')
  }
  appSessions.accessOf = failing
  using bad = await engineAt(origin).socket()
  bad.send('40')
  bad.send('42["auth","x"]')
  expect(await bad.closed).toBe(1011)
  const engine = engineAt(origin)
  const sid = await engine.sid()
  expect((await engine.post(sid, '40\u001E42["auth","x"]')).status).toBe(200)
  expect((await engine.poll(sid)).status).toBe(400)
  appSessions.accessOf = accessOf
  const { listProgress } = store.playback
  store.playback.listProgress = failing
  server.context.publish(marked(user.id))
  await untold.promise
  store.playback.listProgress = listProgress
  server.context.publish(marked(user.id))
  await good.frame('42["user_updated"')
  expect(lines.filter(line => line.includes('disk I/O error'))).toHaveLength(3)
})

test('whoever has signed in stays', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const user = server.context.users.add({ username: 'anna', role: 'user', explicit_consent: 0 })
  const { appSessions } = server.context
  const { access } = appSessions.start(user, nobodysApp)
  const peers: Peers = new Map()
  const sessions = startSessions()
  const { session, closed } = sessions.connect()
  const peer = { session, isConnected: false, access: null, refusals: 0 }
  peers.set(session, peer)
  for (const text of ['0', `2${JSON.stringify(['auth', access])}`])
    converse({ peers, appSessions, limits: socketLimits }, peer, text)
  sessions.after(24_000)
  receive(session, '3')
  sessions.after(10_000)
  expect(closed).toEqual([])
  end(session, 1000)
  let heard = 0
  session.onMessage = () => heard++
  receive(session, '42["ping"]')
  expect(heard).toBe(0)
})

test('an app that answers is pinged again and again', async () => {
  await using server = await startTestApp({
    env: withPasswords,
    socketLimits: { pingMs: 10, pongMs: 60_000, tickMs: 5 },
  })
  await server.signUp('anna')
  const origin = server.listen()
  for (const transports of [['websocket'], ['polling']] as const) {
    using app = await signedInLiveApp(server, origin, 'anna', { transports: [...transports] })
    for (let times = 0; times < 3; times++)
      await new Promise<void>(resolve => app.socket.io.engine.once('ping', () => resolve()))
    expect(app.socket.connected).toBe(true)
  }
})

test('a user has fifty connections, and one more is told to come again later', async () => {
  await using server = await startTestApp({ env: withPasswords })
  await server.signUp('anna')
  const origin = server.listen()
  const { accessToken } = (await login(server, 'anna')).json.user
  const sockets: RawSocket[] = []
  for (let at = 0; at < 51; at++) {
    const socket = await engineAt(origin).socket()
    socket.send('40')
    await socket.frame('40')
    socket.send(`42${JSON.stringify(['auth', accessToken])}`)
    sockets.push(socket)
    if (at < 50) await socket.frame('42["init"')
  }
  expect(await sockets[50]!.closed).toBe(1013)
  // Signing in again counts once.
  sockets[0]!.send(`42${JSON.stringify(['auth', accessToken])}`)
  sockets[0]!.send('42["ping"]')
  await sockets[0]!.frame('42["pong"]')
  for (const socket of sockets) socket.close()
})

test('W2: five hundred apps hear an event each, at once, and end with the sign-in', async () => {
  await using server = await startTestApp({ env: withPasswords, socketLimits: { strangersPerAddress: 1000 } })
  const origin = server.listen()
  const people = Array.from({ length: 10 }, (_, at) =>
    server.context.users.add({ username: `user-${at}`, role: 'user', explicit_consent: 0 }),
  )
  const apps = await Promise.all(
    people.flatMap(user => {
      const { access } = server.context.appSessions.start(user, nobodysApp)
      return Array.from({ length: 50 }, () => connect(origin, access))
    }),
  )
  for (const { id } of people) server.context.publish(marked(id))
  const frames = await Promise.all(apps.map(app => app.frame('42["user_updated"')))
  expect(new Set(frames.map(frame => JSON.parse(frame.slice(2))[1].username)).size).toBe(10)
  server.context.publish({ type: 'signInChanged', userId: people[3]!.id })
  expect(await Promise.all(apps.slice(150, 200).map(({ closed }) => closed))).toEqual(
    Array.from({ length: 50 }, () => 1013),
  )
  expect(apps.filter(({ socket }) => socket.readyState === WebSocket.OPEN)).toHaveLength(450)
  for (const app of apps) app.close()
})

const nobodysApp = { app_password_id: null, provider_session: null, name: 'App', last_address: 'here', apiKey: null }

/** An app that is signed in, without a library. */
async function connect(origin: string, access: string): Promise<RawSocket> {
  const socket = await engineAt(origin).socket()
  socket.send('40')
  await socket.frame('40')
  socket.send(`42${JSON.stringify(['auth', access])}`)
  await socket.frame('42["init"')
  return socket
}

test('memory stays flat over thousands of connections', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const origin = server.listen()
  const user = server.context.users.add({ username: 'anna', role: 'user', explicit_consent: 0 })
  const { access } = server.context.appSessions.start(user, nobodysApp)
  const engine = engineAt(origin)
  async function round() {
    for (let at = 0; at < 20; at++) {
      const sockets = await Promise.all(Array.from({ length: 20 }, () => connect(origin, access)))
      const sids = await Promise.all(Array.from({ length: 20 }, () => engine.sid()))
      await Promise.all(sids.map(sid => engine.post(sid, '1')))
      await Promise.all(sockets.map(socket => (socket.close(), socket.closed)))
    }
    Bun.gc(true)
    return process.memoryUsage().heapUsed
  }
  await round()
  const before = await round()
  const after = Math.min(await round(), await round())
  expect(after - before).toBeLessThan(5 * MIB)
}, 120_000)

test('W2: whatever is sent, the server goes on, and tells strangers nothing', async () => {
  const seed = 20_260_501
  const random = startRandom(seed)
  await using server = await startTestApp({ env: withPasswords })
  const user = server.context.users.add({ username: 'anna', role: 'user', explicit_consent: 0 })
  const engine = engineAt(server.listen())
  const good = ['40', '42["ping"]', '3', '2probe', '5', '6', '41', '1', '0', '40{"a":1}', '42["auth","x"]', '4', '']
  const pieces = [
    '4',
    '2',
    '0',
    '"',
    '[',
    ']',
    '{',
    '}',
    ',',
    '/',
    '-',
    '1e9',
    '\u0000',
    '\u001E',
    'b',
    'é',
    '\uD800',
    '9'.repeat(20),
    'x'.repeat(300),
    '[['.repeat(50),
    'null',
    '__proto__',
  ]
  function message(): string {
    if (random.chance(30)) return random.pick(good)
    const start = random.chance(50) ? random.pick(good) : ''
    const at = random.below(start.length + 1)
    return start.slice(0, at) + random.some(pieces, random.between(0, 6)).join('') + start.slice(at)
  }
  const answers: string[] = []
  for (let round = 0; round < 150; round++) {
    server.context.publish(marked(user.id))
    const socket = await engine.socket()
    for (let times = random.between(1, 8); times > 0; times--) socket.send(message())
    if (random.chance(20)) socket.send(new Uint8Array(random.between(0, 50)))
    const sid = await engine.sid()
    const posted = await engine.post(sid, Array.from({ length: random.between(0, 4) }, message).join('\u001E'))
    expect([200, 400]).toContain(posted.status)
    const query = new URLSearchParams({
      EIO: message(),
      transport: random.pick(['polling', 'websocket', message()]),
      sid: random.pick([sid, message()]),
    })
    const gone = AbortSignal.timeout(50)
    const odd = await engine
      .call(String(query), { signal: gone, method: random.pick(['GET', 'POST', 'GET']) === 'GET' ? 'GET' : 'POST' })
      .catch(() => null)
    if (odd) expect([200, 400, 413]).toContain(odd.status)
    answers.push(...socket.frames)
    socket.close()
  }
  expect(
    answers.filter(frame => !/^(0\{|40\{"sid"|42\["(pong|auth_failed)"|43\d*\[\]$|44\/|3probe|6|2$)/.test(frame)),
  ).toEqual([])
  expect(server.lines.filter(line => / (error|warn) /i.test(line))).toEqual([])
  expect((await fetch(engine.address('EIO=4&transport=polling'))).status).toBe(200)
}, 120_000)

async function twoOf(server: TestApp, origin: string) {
  await server.signUp('anna')
  await server.signUp('bert')
  return [await signedInLiveApp(server, origin, 'anna'), await signedInLiveApp(server, origin, 'bert')] as const
}

test('an app that signs out is cut for good, and another of the same user is not', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const origin = server.listen()
  await server.signUp('anna')
  using other = await signedInLiveApp(server, origin, 'anna')
  const { accessToken, refreshToken } = (await login(server, 'anna')).json.user
  const socket = await connect(origin, accessToken)
  await appAt(server).call('POST', '/logout', { headers: { 'x-refresh-token': refreshToken } })
  expect(await socket.closed).toBe(4401)
  expect(socket.frames.at(-1)).toBe('41')
  expect(other.socket.connected).toBe(true)
})

test('W3: another password ends all apps of the account, and of no other', async () => {
  await using server = await startTestApp({ env: withPasswords })
  const [annas, berts] = await twoOf(server, server.listen())
  const lost = annas.once('disconnect')
  const anna = server.as('anna', 'Corr3ctHorse')
  await anna.users.edit('anna', { username: 'anna', password: 'Ano7herOne' })
  expect(await lost).toBe('io server disconnect')
  expect(berts.socket.connected).toBe(true)
  for (const app of [annas, berts]) app.close()
})

test('W3: what the command line changes ends connections too', async () => {
  await using server = await startTestApp({ env: withPasswords, socketLimits: { tickMs: 200 } })
  const [annas, berts] = await twoOf(server, server.listen())
  const lost = annas.once('disconnect')
  using other = openBeside(`${server.folder}/castellan.db`)
  other.run("UPDATE user SET epoch = epoch + 1 WHERE username = 'anna'")
  expect(await lost).toBe('io server disconnect')
  const consent = berts.once('disconnect')
  other.run("UPDATE user SET explicit_consent = 1 WHERE username = 'bert'")
  // The sign-in lasts: the app comes back, and sees what it may see now.
  expect(await consent).toBe('transport close')
  await berts.once('connect')
  expect((await berts.auth(berts.token)).name).toBe('init')
  for (const app of [annas, berts]) app.close()
}, 120_000)
