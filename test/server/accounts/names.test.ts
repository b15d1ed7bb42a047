import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { examineLibrary } from '../../../src/server/upkeep/doctor/library'
import { openStore } from '../../../src/server/store'
import { goodPassword, refusal, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { startIssuer } from '../../support/issuer'
import { openBeside } from '../../support/other-writer'

const start = () => startTestApp({ env: withPasswords })

const signUp = (app: TestApp, username: string) =>
  app.users.signUp({ username, password: goodPassword, inviteId: app.context.invites.create('user', false).id })

const faultOf = async (work: Promise<unknown>) =>
  ((await refusal(work)) as { args?: { fault?: string } } | null)?.args?.fault ?? null

test('a name that no address can hold, or nobody can see, is refused with its fault', async () => {
  await using app = await start()
  const names: [string, string][] = [
    ['.', 'dots'],
    ['..', 'dots'],
    ['con%2f', 'characters'],
    ['a\\b', 'characters'],
    ['a/b', 'characters'],
    ['a:b', 'characters'],
    ['12345', 'digits'],
    ['٣٤', 'digits'],
    ['me', 'reserved'],
    [crypto.randomUUID(), 'reserved'],
    ['a\u200blice', 'invisible'],
    ['\u202ealice', 'invisible'],
    ['ali\u00adce', 'invisible'],
    ['ali\u034fce', 'invisible'],
    ['ali\ufe0fce', 'invisible'],
    ['ali\u3164ce', 'invisible'],
    ['ali\ue000ce', 'invisible'],
    ['ali\u2028ce', 'invisible'],
    ['ali\u00a0ce', 'invisible'],
    ['ali\u{e0041}ce', 'invisible'],
    ['ali\u0378ce', 'invisible'],
    ['x'.repeat(65), 'length'],
    [' ', 'length'],
  ]
  for (const [name, fault] of names) expect([name, await faultOf(signUp(app, name))]).toEqual([name, fault])
  const alice = await app.signUp('alice')
  for (const [name, fault] of names.slice(0, 8)) {
    expect([name, await faultOf(alice.users.edit(alice.row.uuid, { username: name }))]).toEqual([name, fault])
    const root = app.as('root', 'Sup3rSecret')
    expect([name, await faultOf(root.users.rename(alice.row.uuid, name))]).toEqual([name, fault])
  }
})

test('a name that looks like an existing one is refused, and an honest one of the same script is not', async () => {
  await using app = await start()
  await app.signUp('alice')
  await app.signUp('Bill')
  await app.signUp('пётр')
  for (const name of ['\u0430lice', 'al\u0131ce', 'аliсе', 'ALI\u0421E', 'a1ice', 'aIice', 'BiII'])
    expect([name, await refusal(signUp(app, name))]).toMatchObject([
      name,
      { status: 409, code: 'username-looks-taken' },
    ])
  for (const name of ['alicia', 'bob', 'élise', 'Bella', 'Пелагея', 'петро', '王芳', 'mark7', 'o’neill', 'a b'])
    expect(await signUp(app, name)).toMatchObject({ username: name })
})

test('one’s own name may change to one that looks like it', async () => {
  await using app = await start()
  const alice = await app.signUp('alice')
  expect(await alice.users.edit(alice.row.uuid, { username: 'a1ice' })).toMatchObject({ username: 'a1ice' })
  expect(await refusal(signUp(app, 'alice'))).toMatchObject({ code: 'username-looks-taken' })
  await app.as('root', 'Sup3rSecret').users.remove(alice.row.uuid)
  expect(await signUp(app, 'alice')).toMatchObject({ username: 'alice' })
})

test('names of earlier versions count, once their looks are noted at the start', async () => {
  await using app = await start()
  await app.signUp('alice')
  const path = join(app.folder, 'castellan.db')
  using db = openBeside(path)
  db.run('DELETE FROM user_look')
  expect(app.context.store.users.findLookalike('\u0430lice')).toBeNull()
  openStore(path).close()
  expect(app.context.store.users.findLookalike('\u0430lice')).toMatchObject({ username: 'alice' })
})

test('a provider’s name that cannot be used makes way for the next one, and none at all is refused and logged', async () => {
  using provider = await startIssuer()
  const lines: string[] = []
  const add = (line: string, more?: object) => void lines.push(`${line} ${JSON.stringify(more)}`)
  await using app = await startTestApp({
    env: provider.env,
    log: { debug() {}, info() {}, warn: add, error: add },
  })
  const me = async (claims: Record<string, string>) =>
    app.withHeader(`Bearer ${await provider.token(claims)}`).users.me()
  expect(await me({ sub: 'one', preferred_username: 'alice' })).toMatchObject({ username: 'alice' })
  expect(await me({ sub: 'two', preferred_username: 'alice' })).toMatchObject({ username: 'alice2' })
  expect(await me({ sub: 'three', preferred_username: '..', email: 'c@example.com' })).toMatchObject({
    username: 'c@example.com',
  })
  expect(await refusal(me({ sub: '4', preferred_username: '\u0430lice' }))).toMatchObject({
    status: 403,
    code: 'username-refused',
    args: { username: '\u0430lice' },
  })
  expect(lines.filter(line => line.includes('No account was made'))).toHaveLength(1)
})

test('a proxy makes no account for a name that cannot be used, and keeps signing in the one of an earlier version', async () => {
  const env = { REVERSE_PROXY: 'true', REVERSE_PROXY_HEADER: 'Remote-User', REVERSE_PROXY_AUTO_SIGN_UP: 'true' }
  await using app = await startTestApp({ env })
  const me = (name: string) => app.fetch('/api/v1/users/me', { headers: { 'Remote-User': name } })
  expect((await me('mara')).status).toBe(200)
  for (const name of ['..', 'con%2f', '12345', 'rnara']) {
    const answer = await me(name)
    expect([name, answer.status, ((await answer.json()) as { errorCode: string }).errorCode]).toEqual([
      name,
      403,
      'username-refused',
    ])
  }
  app.context.store.users.rename(app.context.store.users.findByName('mara')!.id, '..')
  expect((await me('..')).status).toBe(200)
})

test('the configuration’s admin gets no such name, and keeps one that it has', async () => {
  const named = (USERNAME: string, folder?: string) =>
    startTestApp({ env: { ...withPasswords, USERNAME }, ...(folder && { folder }) })
  await expect(named('..')).rejects.toThrow('USERNAME is ".."')
  await using app = await named('root')
  app.context.store.users.rename(app.context.admin.id, '12345')
  await using again = await named('12345', app.folder)
  expect(again.context.admin.username).toBe('12345')
})

test('doctor lists the names of earlier versions, with what cannot be seen as code points', async () => {
  await using app = await start()
  const { store, files } = app.context
  const examine = async () =>
    (await examineLibrary({ store, files, dataFolder: app.folder, now: Date.now(), hasOtherAdmins: true }))
      .filter(({ text }) => text.includes('names'))
      .map(({ level, text }) => `${level}: ${text}`)
  await app.signUp('alice')
  expect(await examine()).toEqual([])
  store.users.rename((await app.signUp('bob')).row.id, '\u202ebob')
  store.users.rename((await app.signUp('carol')).row.id, '\u0430lice')
  expect(await examine()).toEqual([
    'warning: names that are hard to address or to see: "<U+202E>bob". Rename them in Administration › Users',
    'warning: names that look like another\'s: "alice", "\u0430lice". Rename them in Administration › Users',
  ])
})
