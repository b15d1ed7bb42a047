import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { examineFolders } from '../../src/server/upkeep/doctor/folders'
import { readConfig } from '../../src/server/config'
import { jobsOf } from '../../src/server/jobs'
import { HOUR } from '../../src/server/platform/clock'
import { BALLAST_BYTES, BALLAST_FILE, withBallast } from '../../src/server/platform/room'
import {
  basic,
  goodPassword,
  startTestApp,
  startClock,
  temporaryFolder,
  withPasswords,
  type TestApp,
} from '../support/app'
import { codeOf } from '../support/authenticator'
import { connect } from '../support/socket'

/** A disk of which others take a part; the ballast of the folder takes its own. */
function startDisk(folder = temporaryFolder()) {
  const disk = {
    folder,
    ballast: join(folder, BALLAST_FILE),
    /** Bytes that are free where the ballast is not there. */
    room: 1e9,
    measure: () => Math.max(0, disk.room - (existsSync(disk.ballast) ? BALLAST_BYTES : 0)),
  }
  return disk
}

const startOn = (disk: ReturnType<typeof startDisk>, env = {}) =>
  startTestApp({ folder: disk.folder, measureFree: disk.measure, env })

const full = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })

test('where there is room a ballast is kept, and the server is ready', async () => {
  const disk = startDisk()
  await using app = await startOn(disk)
  app.context.room.check()
  expect(statSync(disk.ballast).size).toBe(BALLAST_BYTES)
  // Written out, where a sparse file would hold no room.
  expect(statSync(disk.ballast).blocks * 512).toBeGreaterThanOrEqual(BALLAST_BYTES)
  expect((await app.fetch('/readyz')).status).toBe(200)
})

test('a start on a full disk gives up the ballast for its first write, and serves', async () => {
  const disk = startDisk()
  writeFileSync(disk.ballast, 'ballast')
  disk.room = BALLAST_BYTES
  expect(withBallast(disk.folder, () => existsSync(disk.ballast), disk.measure)).toBe(false)
  await using app = await startOn(disk)
  expect(app.context.room.isFull()).toBe(true)
  expect(app.lines.join('\n')).toContain('The disk of the data folder is full')
  expect(await app.podcasts.list()).toEqual([])
  const ready = await app.fetch('/readyz')
  expect([ready.status, await ready.json()]).toEqual([503, { ready: false, checks: { database: true, disk: false } }])
})

test('a quota that is used up, which the disk does not show, costs the ballast too', () => {
  const disk = startDisk()
  writeFileSync(disk.ballast, 'ballast')
  const step = () => {
    if (existsSync(disk.ballast)) throw full()
    return 'locked'
  }
  expect(withBallast(disk.folder, step, disk.measure)).toBe('locked')
  expect(() =>
    withBallast(
      disk.folder,
      () => {
        throw full()
      },
      disk.measure,
    ),
  ).toThrow('database or disk is full')
})

test('a quota in which SQLite only says that writing failed costs the ballast, and what a kill left of one', () => {
  const disk = startDisk()
  const unfinished = `${disk.ballast}.new`
  for (const code of ['SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE']) {
    writeFileSync(unfinished, 'ballast')
    const step = () => {
      if (existsSync(unfinished)) throw Object.assign(new Error('disk I/O error'), { code })
      return 'locked'
    }
    expect(withBallast(disk.folder, step, disk.measure)).toBe('locked')
  }
})

test('a start that fails for another reason, or with room, leaves the ballast alone', () => {
  const disk = startDisk()
  writeFileSync(disk.ballast, 'ballast')
  const step = () => {
    throw new Error('another instance')
  }
  expect(() => withBallast(disk.folder, step, disk.measure)).toThrow('another instance')
  expect(withBallast(disk.folder, () => 'locked', disk.measure)).toBe('locked')
  expect(existsSync(disk.ballast)).toBe(true)
})

test('a disk that fills while the server runs, and has room later, is noticed without a restart', async () => {
  const disk = startDisk()
  await using app = await startOn(disk)
  const { room } = app.context
  room.check()
  disk.room = BALLAST_BYTES + 100
  room.check()
  room.check()
  expect([room.isFull(), existsSync(disk.ballast)]).toEqual([true, true])
  // A little room is none: it would be full again at once.
  disk.room = BALLAST_BYTES + 5_000_000
  room.check()
  expect(room.isFull()).toBe(true)
  disk.room = BALLAST_BYTES + 20_000_000
  room.check()
  expect(room.isFull()).toBe(false)
  expect(app.events.filter(({ type }) => type === 'roomChanged')).toMatchObject([{ isFull: true }, { isFull: false }])
  expect((await app.fetch('/readyz')).status).toBe(200)
})

/** A disk that has just become full, which the server has noticed; the ballast is there. */
async function startFull(env = {}, now = startClock()) {
  const disk = startDisk()
  const app = await startTestApp({ folder: disk.folder, measureFree: disk.measure, env, now })
  app.context.room.check()
  disk.room = BALLAST_BYTES
  app.context.room.check()
  return { app, disk, hasBallast: () => existsSync(disk.ballast) }
}

const login = (app: TestApp, body: object) =>
  app.fetch('/api/v1/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

test('who deletes something on a full disk gets the room of the ballast, who reads does not', async () => {
  const disk = startDisk()
  await using app = await startOn(disk)
  app.context.room.check()
  disk.room = BALLAST_BYTES
  await app.fetch('/api/v1/tags/none', { method: 'DELETE' })
  // It was not noticed yet.
  expect(existsSync(disk.ballast)).toBe(true)
  app.context.room.check()
  await app.podcasts.list()
  expect(existsSync(disk.ballast)).toBe(true)
  await app.fetch('/api/v1/tags/none', { method: 'DELETE' })
  expect([existsSync(disk.ballast), app.context.room.isFull()]).toEqual([false, true])
  // What it gave is no room for others.
  app.context.room.check()
  expect(app.context.room.isFull()).toBe(true)
  disk.room = 1e9
  app.context.room.check()
  expect(existsSync(disk.ballast)).toBe(true)
})

test('strangers use up no ballast, whatever they send; a right password does', async () => {
  const { app, hasBallast } = await startFull(withPasswords)
  await using _ = app
  const wrong = { Authorization: basic('root', 'Wr0ngPassword') }
  for (const [path, init] of [
    ['/api/v1/tags/none', { method: 'DELETE' }],
    ['/api/v1/tags/none', { method: 'DELETE', headers: wrong }],
    ['/api/v1/session', { method: 'DELETE' }],
    ['/api/v1/session', { method: 'POST', headers: wrong }],
    ['/api/me/progress/none', { method: 'DELETE' }],
    ['/api/v1/login/passkey', { method: 'POST', body: '{}' }],
    ['/nowhere', { method: 'DELETE' }],
  ] as const)
    await app.fetch(path, init)
  expect((await login(app, { username: 'root', password: 'Wr0ngPassword' })).status).toBe(401)
  expect(hasBallast()).toBe(true)
  expect((await login(app, { username: 'root', password: withPasswords.PASSWORD })).status).toBe(200)
  expect(hasBallast()).toBe(false)
})

test('with a second factor the password alone uses up no ballast, nor does a wrong code; a right one does', async () => {
  const now = startClock()
  const { app, disk, hasBallast } = await startFull(withPasswords, now)
  await using _ = app
  const { row } = await app.signUp('alice')
  const { secret } = app.context.secondFactor.begin(row)
  const codes = await app.context.secondFactor.confirm(row, codeOf(secret, now()), '127.0.0.1', null)
  for (const room of [1e9, BALLAST_BYTES]) {
    disk.room = room
    app.context.room.check()
  }
  const signIn = async (code?: string) => (await login(app, { username: 'alice', password: goodPassword, code })).status
  expect([await signIn(), await signIn('000000'), await signIn('aaaa-aaaa-aaaa-aaaa')]).toEqual([401, 401, 401])
  expect(hasBallast()).toBe(true)
  expect(await signIn(codes[0])).toBe(200)
  expect(hasBallast()).toBe(false)
})

test('on a full disk uses of sessions are not noted, and a listener that cannot write costs one line', async () => {
  const now = startClock()
  const { app } = await startFull(withPasswords, now)
  await using _ = app
  const alice = await app.signUp('alice')
  const signedIn = await login(app, { username: 'alice', password: goodPassword })
  const Cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
  now.advance(HOUR)
  const before = app.context.store.sessions.list(alice.row.id, now())
  // A cookie without a second factor plays media, and does nothing else.
  expect((await app.fetch('/media/missing.mp3', { headers: { Cookie } })).status).toBe(404)
  expect(app.context.store.sessions.list(alice.row.id, now())).toEqual(before)
  app.context.events.listen({
    addedPodcast() {
      throw full()
    },
  })
  app.context.publish({ type: 'addedPodcast', source: 'library', podcastId: 0 })
  expect(app.lines.filter(line => line.includes('Event listener failed'))).toEqual([
    expect.stringMatching(/ error Event listener failed error="The disk is full"$/),
  ])
})

test('work that fills the disk waits while it is full', async () => {
  const disk = startDisk()
  await using app = await startOn(disk)
  const job = jobsOf(app.context).find(({ name }) => name === 'back up')!
  disk.room = 0
  app.context.room.check()
  await job.run()
  expect(app.events.some(({ type }) => type === 'backupMade')).toBe(false)
  disk.room = 1e9
  app.context.room.check()
  await job.run()
  expect(app.events.some(({ type }) => type === 'backupMade')).toBe(true)
})

test('doctor names the disk that is full, and the ballast where there is room', () => {
  const disk = startDisk()
  const examine = (room: number) => {
    disk.room = room
    return examineFolders(readConfig({ DATA_DIRECTORY: disk.folder }), 0, disk.measure)
  }
  const texts = (room: number) =>
    examine(room)
      .filter(({ level }) => level === 'problem')
      .map(({ text }) => text)
  expect(texts(5_000_000).join()).toContain(`${disk.folder} is on a disk that is full (5.0 MB free)`)
  expect(texts(1e9).join()).not.toContain('full')
  const ballast = { level: 'fine' as const, text: 'castellan.ballast keeps 8 MB for a start on a full disk' }
  expect(examine(1e9)).not.toContainEqual(ballast)
  writeFileSync(disk.ballast, 'ballast')
  expect(examine(1e9)).toContainEqual(ballast)
})

test('pages learn at once that the disk is full, and when it has room; which disk it is, admins alone', async () => {
  const disk = startDisk()
  await using app = await startOn(disk, withPasswords)
  await app.signUp('bob')
  const { room } = app.context
  room.check()
  const origin = app.listen()
  const admin = await connect(origin, { Authorization: basic('root', 'Sup3rSecret') })
  disk.room = BALLAST_BYTES + 100
  room.check()
  const about = { folder: disk.folder, freeBytes: 100 }
  expect(await admin.frame('roomChanged')).toEqual({ type: 'roomChanged', isFull: true, disk: about })
  // This one comes later.
  const bob = await connect(origin, { Authorization: basic('bob', goodPassword) })
  expect(await bob.frame('roomChanged')).toEqual({ type: 'roomChanged', isFull: true, disk: null })
  bob.frames.length = 0
  disk.room = 1e9
  room.check()
  expect(await bob.frame('roomChanged')).toMatchObject({ isFull: false, disk: null })
  admin.socket.close()
  bob.socket.close()
})
