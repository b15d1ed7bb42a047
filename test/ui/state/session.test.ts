import { signal } from '@preact/signals-core'
import { expect, test } from 'bun:test'
import type { Config } from '../../../src/shared/api/system'
import type { User, UserEdit } from '../../../src/shared/api/user'
import { ApiError } from '../../../src/ui/api/client'
import { createCredentials } from '../../../src/ui/state/credentials'
import type { OidcError } from '../../../src/ui/state/oidc'
import { createSession } from '../../../src/ui/state/session'
import { createMemoryStorage } from '../../support/memory-storage'
import { createCalls, settled } from '../../support/settled'

const refusal = new ApiError(401, 'unauthorised', 'no')
const offline = new ApiError(0, 'offline', 'no')
const alice = { id: 'a', username: 'alice', role: 'admin', apiKey: null } as User

/** A provider whose tokens the test gives out. */
function createProvider() {
  const provider = {
    calls: [] as string[],
    token: null as string | null,
    onRenew: () => undefined as void,
    error: signal<OidcError | null>(null),
  }
  const note = (name: string) => async () => void provider.calls.push(name)
  const oidc = {
    error: provider.error,
    token: () => provider.token,
    idToken: () => provider.token,
    start: note('start'),
    loadStored: note('load stored'),
    revoke: note('revoke'),
    forget: note('forget'),
    signOut: note('sign out'),
    async renew() {
      provider.calls.push('renew')
      provider.onRenew()
    },
  }
  return { provider, oidc }
}

function start({ config = { basicAuth: true } as Partial<Config>, stored = true } = {}) {
  const [local, tab] = [createMemoryStorage(), createMemoryStorage()]
  const credentials = createCredentials(local as never, tab as never)
  if (stored) credentials.keep({ username: 'alice', password: 'old' }, true)
  const { provider, oidc } = createProvider()
  const server = {
    me: async (): Promise<User> => alice,
    asked: [] as unknown[],
    login: async (): Promise<User> => alice,
    isAway: false,
    edit: async (_name: string, change: UserEdit) => ({ ...alice, username: change.username, apiKey: 'new' }) as User,
  }
  const log: string[] = []
  const session = createSession({
    system: { config: async () => config as Config },
    users: {
      me: () => server.me(),
      edit: (name, change) => server.edit(name, change),
      removeApiKey: async () => void log.push('remove key'),
      renewFeedKey: async () => ({ feedKey: 'fresh' }),
    },
    session: {
      login: async given => {
        server.asked.push(given)
        return server.login()
      },
      start: async remember => void log.push(`cookie ${remember}`),
      end: async as => void log.push(`end ${as?.split(' ')[0]}`),
    },
    credentials,
    createOidc: async () => oidc as never,
    onLeaving: () => void log.push('leave'),
    beginAnew: isAtHome => void log.push(isAtHome ? 'to home' : 'reload'),
    pause: async () => void log.push('pause'),
    isAway: () => server.isAway,
  })
  return { session, server, credentials, local, tab, log, provider }
}

test('without the server a session begins by what this device knows, and is confirmed once there is one', async () => {
  const { session, server, log, provider } = start({ config: { basicAuth: true, oidcConfig: {} as never } })
  server.isAway = true
  await session.start()
  expect([session.phase.value, session.user.value?.username, provider.calls]).toEqual(['signed-in', 'alice', []])
  expect([await session.confirm(), provider.calls]).toEqual([true, []])
  server.isAway = false
  expect([await session.confirm(), provider.calls]).toEqual([true, ['start']])
  expect(log).toEqual(['cookie true'])

  // Somebody has ended it in the meantime.
  const ended = start()
  ended.server.isAway = true
  await ended.session.start()
  Object.assign(ended.server, { isAway: false, me: () => Promise.reject(refusal) })
  expect([await ended.session.confirm(), ended.log.slice(-2)]).toEqual([false, ['leave', 'reload']])
})

test('without the server a browser that remembers no sign-in shows nobody', async () => {
  const { session, server } = start({ stored: false })
  server.isAway = true
  await session.start()
  expect([session.phase.value, session.startError.value]).toMatchObject(['loading', { code: 'offline' }])
})

test('a server that asks nobody lets everybody do everything', async () => {
  const { session, server } = start({ config: {} })
  server.me = () => Promise.reject(new Error('asked'))
  await session.start()
  expect([session.phase.value, session.isOpen.value, session.isAdmin.value, session.mayUpload.value]).toEqual([
    'signed-in',
    true,
    true,
    true,
  ])
})

test('a browser that remembers a password is signed in, and gets a cookie', async () => {
  const { session, log } = start()
  await session.start()
  expect([session.phase.value, session.user.value?.username, log]).toEqual(['signed-in', 'alice', ['cookie true']])
})

test('a browser without a password is asked for one, and the server for nothing', async () => {
  const { session, server } = start({ stored: false })
  server.me = () => Promise.reject(new Error('asked'))
  await session.start()
  expect([session.phase.value, session.startError.value]).toEqual(['signed-out', null])
})

test('a password that the server refuses is forgotten', async () => {
  const { session, server, credentials } = start()
  server.me = () => Promise.reject(refusal)
  await session.start()
  expect([session.phase.value, credentials.header()]).toEqual(['signed-out', null])
})

test('a password that another tab has changed meanwhile is tried before it counts as refused', async () => {
  const { session, server, credentials } = start()
  server.me = async () => {
    server.me = async () => alice
    credentials.keep({ username: 'alice', password: 'new' }, true)
    throw refusal
  }
  await session.start()
  expect([session.phase.value, credentials.read()?.password]).toEqual(['signed-in', 'new'])
})

test('a server that is away at the start is no refusal: the error is shown, and the start can be tried again', async () => {
  const { session, server, credentials } = start()
  server.me = () => Promise.reject(offline)
  await session.start()
  expect([session.phase.value, session.startError.value]).toEqual(['loading', offline])
  expect(credentials.header()).not.toBe(null)
  server.me = async () => alice
  await session.start()
  expect([session.phase.value, session.startError.value]).toEqual(['signed-in', null])
})

test('a sign-in that is to be remembered is kept before the page goes on', async () => {
  const { session, credentials } = start({ stored: false })
  await session.start()
  const enter = await session.logIn({ username: 'alice', password: 'secret' }, true)
  expect([session.phase.value, credentials.read(), credentials.isRemembered()]).toEqual([
    'signed-out',
    { username: 'alice', password: 'secret' },
    true,
  ])
  enter()
  expect([session.phase.value, session.user.value?.username]).toEqual(['signed-in', 'alice'])
})

test('a sign-in that is not to be remembered is kept for the tab alone, and sent as a Basic header', async () => {
  const { session, credentials, local, tab } = start({ stored: false })
  await session.start()
  const enter = await session.logIn({ username: 'alice', password: 'secret' }, false)
  enter()
  const login = Buffer.from('alice:secret').toString('base64')
  expect([tab.getItem('auth'), local.getItem('auth'), credentials.cookieOf()]).toEqual([login, null, null])
  expect(session.authorization()).toBe(`Basic ${login}`)
  await session.logOut()
  expect([tab.stored.size, local.stored.size]).toEqual([0, 0])
})

test('a session that somebody ended takes the password of a tab along, and leaves one that is remembered', async () => {
  for (const remember of [false, true]) {
    const { session, server, credentials, log } = start({ stored: false })
    await session.start()
    ;(await session.logIn({ username: 'alice', password: 'secret' }, remember))()
    server.me = () => (session.authorization() === null ? Promise.reject(refusal) : Promise.resolve(alice))
    // As for a new role: the sign-in stands.
    expect(await session.confirm()).toBe(true)
    expect(await session.confirm(true)).toBe(remember)
    expect([credentials.header() === null, log.includes('reload')]).toEqual([!remember, !remember])
  }
})

test('a cookie carries on in the next page', async () => {
  const again = start({ stored: false })
  again.credentials.keepCookie('a')
  await again.session.start()
  expect([again.session.phase.value, again.log]).toEqual(['signed-in', ['cookie false']])
  await again.session.logOut()
  expect([again.credentials.cookieOf(), again.log.slice(1)]).toEqual([null, ['end undefined', 'leave', 'to home']])
})

test('with a second factor no password is kept, not even to be remembered', async () => {
  const { session, server, credentials } = start({ stored: false })
  await session.start()
  server.login = async () => ({ ...alice, secondFactor: true })
  await session.logIn({ username: 'alice', password: 'secret' }, true, '123456')
  expect([credentials.header(), credentials.cookieOf()]).toEqual([null, 'a'])
  expect(server.asked).toEqual([{ username: 'alice', password: 'secret', remember: true, code: '123456' }])
})

test('a password that is kept is forgotten once a second factor makes it useless', async () => {
  const { session, credentials } = start()
  await session.start()
  session.passwordIsNotEnough()
  session.secondFactorChanged(true)
  expect([credentials.header(), credentials.cookieOf(), session.user.value?.secondFactor]).toEqual([null, 'a', true])
})

test('a cookie that has ended is forgotten', async () => {
  const { session, server, credentials } = start({ stored: false })
  credentials.keepCookie('a')
  server.me = () => Promise.reject(refusal)
  await session.start()
  expect([session.phase.value, credentials.cookieOf()]).toEqual(['signed-out', null])
})

test('a tab follows another that has signed in somebody else by the cookie that they share', async () => {
  const { session, server, credentials, log } = start({ stored: false })
  credentials.keepCookie('a')
  await session.start()
  server.me = async () => ({ ...alice, id: 'b', username: 'bob' })
  credentials.keepCookie('b')
  await session.followOtherTab()
  expect(log.slice(1)).toEqual(['cookie false', 'leave', 'reload'])
})

test('a tab follows another that has signed out, and one that has signed in', async () => {
  const { session, server, credentials, log } = start({ stored: false })
  await session.start()
  credentials.keepCookie('a')
  await session.followOtherTab()
  expect(session.phase.value).toBe('signed-in')
  credentials.clear()
  server.me = () => Promise.reject(refusal)
  await session.followOtherTab()
  expect(log.slice(1)).toEqual(['leave', 'reload'])
})

test('a user who is refused later on leaves, and the page begins anew', async () => {
  const { session, server, log } = start()
  await session.start()
  server.me = () => Promise.reject(refusal)
  expect(await session.confirm()).toBe(false)
  expect(log).toEqual(['cookie true', 'pause', 'leave', 'reload'])
})

test('a server that cannot be asked is no reason to leave', async () => {
  const { session, server, log } = start()
  await session.start()
  server.me = () => Promise.reject(offline)
  expect([await session.confirm(), session.user.value?.username]).toEqual([false, 'alice'])
  expect(log).toEqual(['cookie true'])
})

test('many refusals at once are one question', async () => {
  const { session, server } = start()
  await session.start()
  const me = createCalls<[], User>()
  server.me = me.call
  const answers = [session.confirm(), session.confirm(), session.confirm()]
  await settled()
  await me.answer(alice)
  expect([await Promise.all(answers), me.calls.length]).toEqual([[true, true, true], 1])
})

test('a new name or password is what this browser signs in with from then on', async () => {
  const { session, credentials } = start()
  await session.start()
  const edited = await session.edit({ username: 'alicia', password: 'new' } as UserEdit)
  expect(edited.apiKey).toBe('new')
  expect(credentials.read()).toEqual({ username: 'alicia', password: 'new' })
  expect(session.user.value).toMatchObject({ username: 'alicia', apiKey: null })
})

test('a change of anything else leaves the password as it is', async () => {
  const { session, credentials } = start()
  await session.start()
  await session.edit({ username: 'alice' } as UserEdit)
  expect(credentials.read()?.password).toBe('old')
})

test('a refusal during a change of the password waits for the new one', async () => {
  const { session, server, log } = start()
  await session.start()
  const edit = createCalls<[string, UserEdit], User>()
  server.edit = edit.call
  const editing = session.edit({ username: 'alice', password: 'new' } as UserEdit)
  await settled()
  const asked: string[] = []
  server.me = async () => {
    asked.push('me')
    return alice
  }
  const confirming = session.confirm()
  await settled()
  expect(asked).toEqual([])
  await edit.answer(alice)
  await editing
  expect([await confirming, asked, log.includes('leave')]).toEqual([true, ['me'], false])
})

test('the keys of the account are shown as they now are', async () => {
  const { session } = start()
  await session.start()
  await session.renewFeedKey()
  await session.removeApiKey()
  expect(session.user.value).toMatchObject({ feedKey: 'fresh', apiKeySet: false })
})

test('signing out forgets here first, then ends the session by the old credentials, and goes home', async () => {
  const { session, credentials, log } = start()
  await session.start()
  await session.logOut()
  expect([credentials.header(), log]).toEqual([null, ['cookie true', 'end Basic', 'leave', 'to home']])
})

test('signing out with a provider signs out there, too, which leads away from this page', async () => {
  const { session, provider, log } = start({ config: { oidcConfigured: true, oidcConfig: {} as never }, stored: false })
  provider.token = 'token'
  await session.start()
  await session.logOut()
  expect(provider.calls).toEqual(['start', 'revoke', 'forget', 'sign out'])
  expect(log).toEqual(['cookie true', 'end Bearer', 'leave'])
})

test('a token that is refused is renewed and tried again', async () => {
  const { session, server, provider } = start({
    config: { oidcConfigured: true, oidcConfig: {} as never },
    stored: false,
  })
  provider.token = 'old'
  provider.onRenew = () => (provider.token = 'new')
  server.me = async () => {
    if (provider.token === 'old') throw refusal
    return alice
  }
  await session.start()
  expect([session.phase.value, session.authorization()]).toEqual(['signed-in', 'Bearer new'])
})

test('a provider that cannot be reached is no refusal', async () => {
  const { session, server, provider } = start({
    config: { oidcConfigured: true, oidcConfig: {} as never },
    stored: false,
  })
  provider.token = 'old'
  provider.onRenew = () => (provider.error.value = { failure: 'renew-failed', detail: 'away', isRefusal: false })
  server.me = () => Promise.reject(refusal)
  await session.start()
  expect([session.startError.value, session.phase.value]).toMatchObject([{ code: 'offline' }, 'loading'])
})

test('a tab follows another one that signs out, and one that signs in', async () => {
  const { session, server, credentials, log } = start()
  await session.start()
  credentials.clear()
  server.me = () => Promise.reject(refusal)
  await session.followOtherTab()
  expect(log).toContain('reload')

  const other = start({ stored: false })
  await other.session.start()
  other.credentials.keep({ username: 'alice', password: 'secret' }, true)
  await other.session.followOtherTab()
  expect(other.session.phase.value).toBe('signed-in')
})

test.each([
  ['admin', true, true],
  ['uploader', false, true],
  ['user', false, false],
] as const)('a user with the role %s may do what it allows', async (role, isAdmin, mayUpload) => {
  const { session, server } = start()
  server.me = async () => ({ ...alice, role, podcastsLeft: 0 })
  await session.start()
  expect([session.isAdmin.value, session.mayUpload.value, session.mayAdd.value]).toEqual([isAdmin, mayUpload, false])
})
