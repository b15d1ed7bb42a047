import { expect, test } from 'bun:test'
import { createAfterLogin, createCredentials, isCredential } from '../../../src/ui/state/credentials'
import { createDrafts, createOverlay, createSidebar } from '../../../src/ui/state/shell'
import { isCallback } from '../../../src/ui/routes'
import { createSingleKeys, createTheme } from '../../../src/ui/state/preferences'
import { createToasts } from '../../../src/ui/state/toasts'
import { createMemoryStorage } from '../../support/memory-storage'

/** A media query that the test changes. */
function createQuery(matches: boolean) {
  const listeners: ((event: { matches: boolean }) => void)[] = []
  const query = {
    matches,
    addEventListener: (_type: string, listener: (event: { matches: boolean }) => void) => void listeners.push(listener),
    change(to: boolean) {
      query.matches = to
      for (const listener of listeners) listener({ matches: to })
    },
  }
  return query as typeof query & MediaQueryList
}

test('a remembered password is in the local storage, another one in that of the session, and only one of them', () => {
  const [local, session] = [createMemoryStorage(), createMemoryStorage()]
  const credentials = createCredentials(local as never, session as never)
  credentials.keep({ username: 'alice', password: 'sécret:☃' }, true)
  expect([local.stored.size, session.stored.size, credentials.isRemembered()]).toEqual([1, 0, true])
  credentials.keep({ username: 'alice', password: 'sécret:☃' }, false)
  expect([local.getItem('auth'), session.getItem('auth') !== null, credentials.isRemembered()]).toEqual([
    null,
    true,
    false,
  ])
  expect(credentials.read()).toEqual({ username: 'alice', password: 'sécret:☃' })
  expect(credentials.header()).toBe(`Basic ${Buffer.from('alice:sécret:☃').toString('base64')}`)
  credentials.clear()
  expect([credentials.read(), credentials.header()]).toEqual([null, null])
})

test('the sign-in of a tab comes before that of the browser', () => {
  const [local, session] = [btoa('browser:b'), btoa('tab:t')].map(auth => createMemoryStorage({ auth }))
  const both = createCredentials(local as never, session as never)
  expect([both.read()?.username, both.header()]).toEqual(['tab', `Basic ${btoa('tab:t')}`])
})

test.each(['not base64 ☃', btoa('no colon'), btoa('\xff\xfe:x')])('stored credentials like %s are removed', stored => {
  const local = createMemoryStorage({ auth: stored })
  expect(createCredentials(local as never, createMemoryStorage() as never).read()).toBe(null)
  expect(local.stored.size).toBe(0)
})

test('credentials are known by their keys', () => {
  expect(['auth', 'oidc.user:https://id.example', 'theme', 'authority'].map(isCredential)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('the page that somebody wanted is opened after the sign-in, once', () => {
  const afterLogin = createAfterLogin(createMemoryStorage())
  afterLogin.remember('/podcasts/p/episodes?t=30')
  expect([afterLogin.claim(), afterLogin.claim()]).toEqual(['/podcasts/p/episodes?t=30', null])
})

test.each([
  '/',
  '/login',
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '/a//b',
  '/../admin',
  '/a/../b',
  '/a?b=\\c',
  'podcasts',
])('%s is no page to open after the sign-in', path => {
  const storage = createMemoryStorage({ 'after-login': path })
  expect(createAfterLogin(storage).claim()).toBe(null)
  const afterLogin = createAfterLogin(createMemoryStorage())
  afterLogin.remember(path)
  expect(afterLogin.claim()).toBe(null)
})

test('an answer of the provider is known by its state and its code or error', () => {
  const at = (search: string, hash = '') => isCallback({ search, hash })
  expect([at('?code=1&state=2'), at('?error=denied&state=2'), at('', '#state=1&code=2')]).toEqual([true, true, true])
  expect([at('?code=1'), at('?state=1'), at(''), at('?t=30')]).toEqual([false, false, false, false])
})

test('a draft is kept until it is forgotten, and all of them go at once', () => {
  const drafts = createDrafts()
  drafts.keep('naming', 1)
  const before = drafts.all.value
  drafts.keep('retention', 2)
  expect([before.size, drafts.all.value.size]).toEqual([1, 2])
  drafts.forget('naming')
  expect([...drafts.all.value]).toEqual([['retention', 2]])
  drafts.clear()
  expect(drafts.all.value.size).toBe(0)
})

test('an overlay opens, closes and toggles', () => {
  const overlay = createOverlay()
  const states = [overlay.toggle, overlay.toggle, overlay.open, overlay.open, overlay.close].map(command => {
    command()
    return overlay.isOpen.value
  })
  expect(states).toEqual([true, false, true, true, false])
})

test('single keys are on until somebody turns them off, and stay off', () => {
  const storage = createMemoryStorage()
  const keys = createSingleKeys(storage)
  expect(keys.areOn.value).toBe(true)
  keys.choose(false)
  expect([keys.areOn.value, createSingleKeys(storage).areOn.value]).toEqual([false, false])
  keys.choose(true)
  expect([createSingleKeys(storage).areOn.value, storage.stored.size]).toEqual([true, 0])
})

/** A window of a width in pixels, which the test changes. */
function createWindow(width: number) {
  const [phone, wide] = [createQuery(width < 768), createQuery(width >= 1024)]
  return {
    matchMedia: (query: string) => (query.includes('< 768') ? phone : wide),
    resize(to: number) {
      phone.change(to < 768)
      wide.change(to >= 1024)
    },
  }
}

test('a wide page remembers whether its sidebar is whole or a rail', () => {
  const storage = createMemoryStorage()
  const { matchMedia } = createWindow(1440)
  const sidebar = createSidebar(storage, matchMedia)
  expect([sidebar.isOpen.value, sidebar.liesOver.value]).toEqual([true, false])
  sidebar.closeOverlay()
  expect(sidebar.isOpen.value).toBe(true)
  sidebar.toggle()
  expect(createSidebar(storage, matchMedia).isOpen.value).toBe(false)
})

test('a page of medium width begins with a rail, and what is opened there is not remembered', () => {
  const storage = createMemoryStorage()
  const sidebar = createSidebar(storage, createWindow(800).matchMedia)
  expect(sidebar.isOpen.value).toBe(false)
  sidebar.toggle()
  expect([sidebar.isOpen.value, sidebar.liesOver.value, storage.stored.size]).toEqual([true, false, 0])
})

test('on a phone the menu begins closed, lies over the page, closes after a choice and is not remembered', () => {
  const storage = createMemoryStorage()
  const { matchMedia, resize } = createWindow(390)
  const sidebar = createSidebar(storage, matchMedia)
  expect(sidebar.isOpen.value).toBe(false)
  sidebar.toggle()
  expect([sidebar.liesOver.value, storage.stored.size]).toEqual([true, 0])
  sidebar.closeOverlay()
  expect(sidebar.isOpen.value).toBe(false)
  resize(1440)
  expect([sidebar.isOpen.value, sidebar.isNarrow.value]).toEqual([true, false])
})

/** A page whose theme the test reads. */
function startTheme(stored: Record<string, string> = {}, isDark = false) {
  const storage = createMemoryStorage(stored)
  const query = createQuery(isDark)
  const classes = new Set<string>()
  const root = {
    dataset: {} as Record<string, string>,
    classList: { toggle: (name: string, isOn: boolean) => void (isOn ? classes.add(name) : classes.delete(name)) },
  }
  const theme = createTheme(storage as never, query, root as never)
  return { theme, storage, query, shown: () => [root.dataset['theme'], classes.has('dark')] }
}

test('the theme follows the system until one is chosen, and then stays', () => {
  const { theme, storage, query, shown } = startTheme({}, true)
  expect(shown()).toEqual(['dark', true])
  query.change(false)
  expect(shown()).toEqual(['light', false])
  theme.choose('dark')
  query.change(true)
  query.change(false)
  expect([shown(), startTheme(Object.fromEntries(storage.stored)).shown()]).toEqual([
    ['dark', true],
    ['dark', true],
  ])
  theme.choose('system')
  expect([shown(), storage.stored.size]).toEqual([['light', false], 0])
})

test('a theme that nobody knows is that of the system', () => {
  expect(startTheme({ theme: 'purple' }).theme.theme.value).toBe('system')
})

test('at most four notices are shown, each once, the latest last', () => {
  const toasts = createToasts()
  const texts = () => toasts.all.value.map(({ text }) => text).join('')
  for (const text of 'abcdef') toasts.done(text)
  expect(texts()).toBe('cdef')
  toasts.done('d')
  expect(texts()).toBe('cefd')
  toasts.failed('d')
  expect(toasts.all.value.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'done e',
    'done f',
    'done d',
    'failed d',
  ])
  toasts.dismiss(toasts.all.value[0]!.id)
  expect(toasts.all.value.length).toBe(3)
  toasts.clear()
  expect(toasts.all.value).toEqual([])
})
