import { signal } from '@preact/signals-core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, spyOn, test } from 'bun:test'
import type { ReactNode } from 'react'
import { Router } from 'wouter'
import { AppProvider } from '../../../src/ui/app-context'
import { RoleFields } from '../../../src/ui/pages/administration/parts'
import { SignUpForm } from '../../../src/ui/pages/invite/invite-page'
import { LoginForm } from '../../../src/ui/pages/login/login-page'
import { AccountForm } from '../../../src/ui/pages/profile/profile-page'
import { TagsPage } from '../../../src/ui/pages/tags/tags-page'
import { canShapeSound } from '../../../src/ui/playback/shaper'
import { settled } from '../../support/settled'

const show = (app: object, part: ReactNode) =>
  render(
    <AppProvider value={app as never}>
      <Router>{part}</Router>
    </AppProvider>,
  )
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const submit = () =>
  act(async () => {
    fireEvent.submit(document.querySelector('form')!)
    await settled()
  })
// happy-dom says nothing about it. Passkeys need https.
Object.assign(globalThis, { isSecureContext: false })
const restore: (() => void)[] = []
afterEach(() => {
  for (const work of restore.splice(0)) work()
})

test('a sign-in needs a user name and a password, and leads to / after a tenth of a second', async () => {
  const log: unknown[] = []
  const logIn = async (login: object, remember: boolean) => {
    log.push(login, remember)
    return () => log.push('entered')
  }
  history.replaceState(null, '', '/login')
  show({ session: { logIn } }, <LoginForm />)
  expect([field('username').required, field('password').required]).toEqual([true, true])
  fireEvent.change(field('username'), { target: { value: 'alice' } })
  fireEvent.change(field('password'), { target: { value: 'Corr3ctHorse' } })
  const waits: unknown[] = []
  const timer = spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms?: number) => {
    waits.push(ms)
    queueMicrotask(work)
  }) as never)
  restore.push(() => timer.mockRestore())
  await submit()
  expect(log).toEqual([{ username: 'alice', password: 'Corr3ctHorse' }, false, 'entered'])
  expect([waits, location.pathname]).toEqual([[100], '/'])
})

test('a sign-up needs a user name, and leaves the password to the server', () => {
  show({ api: {}, toasts: {} }, <SignUpForm inviteId="i" />)
  expect([field('username').required, field('username').placeholder]).toEqual([true, 'your-username'])
  const { required, pattern, minLength } = field('password')
  expect([required, pattern, Math.max(0, minLength)]).toEqual([false, '', 0])
})

test('a password that is left empty is not part of what the profile saves', async () => {
  const edits: object[] = []
  const session = {
    config: signal({ basicAuth: true }),
    oidc: signal(null),
    edit: async (edit: object) => void edits.push(edit),
  }
  const user = { username: 'alice', readOnly: false, apiKeySet: false, apiKeyForAssistants: false }
  show({ session, toasts: { done() {} } }, <AccountForm user={user as never} />)
  await submit()
  fireEvent.change(field('password'), { target: { value: 'Ano7herOne' } })
  await submit()
  expect(edits).toEqual([{ username: 'alice' }, { username: 'alice', password: 'Ano7herOne' }])
})

test('whether assistants may use a key is chosen when the key is made, where the server lets them', async () => {
  const edits: Record<string, unknown>[] = []
  const session = {
    config: signal({ basicAuth: true }),
    oidc: signal(null),
    edit: async (edit: Record<string, unknown>) => void edits.push(edit),
  }
  const user = { username: 'alice', readOnly: false, apiKeySet: true, apiKeyForAssistants: false }
  const page = show({ session, toasts: { done() {} } }, <AccountForm user={user as never} />)
  const choice = () => screen.queryByRole<HTMLInputElement>('checkbox')
  expect([choice()!.checked, choice()!.disabled]).toEqual([false, true])
  fireEvent.click(screen.getByRole('button', { name: 'regenerate-api-key' }))
  fireEvent.click(choice()!)
  expect(screen.getByText('api-key-assistants-text')).toBeTruthy()
  await submit()
  expect(edits).toMatchObject([{ apiKey: expect.any(String), apiKeyForAssistants: true }])
  page.unmount()
  show({ session, toasts: { done() {} } }, <AccountForm user={{ ...user, apiKeyForAssistants: null } as never} />)
  expect(choice()).toBe(null)
})

test('the roles to choose from are admin, user and uploader', () => {
  show({}, <RoleFields value={{ role: 'user', explicitConsent: false }} onChange={() => undefined} />)
  const names = screen.getAllByRole<HTMLOptionElement>('option').map(option => option.value)
  expect(names.toSorted()).toEqual(['admin', 'uploader', 'user'])
})

test('a tag is saved with its name and colour when its field is left', async () => {
  const saved: unknown[] = []
  const tag = { id: 't', name: 'News', color: 'Green' }
  const tags = {
    all: signal([tag]),
    status: signal('ready'),
    error: signal(null),
    load: async () => undefined,
    edit: async (id: string, edit: object) => void saved.push(id, edit),
  }
  const library = { podcasts: signal([]), all: signal([]), status: signal('ready') }
  show({ tags, library, toasts: {}, failed: (error: unknown) => saved.push(error) }, <TagsPage />)
  await settled()
  const name = field('name-of-tag')
  fireEvent.change(name, { target: { value: 'Nights' } })
  expect(saved).toEqual([])
  fireEvent.blur(name)
  expect(saved).toEqual(['t', { name: 'Nights', color: 'Green' }])
})

test('the amplifier is left out in browsers of phones and tablets', () => {
  const known = globalThis.AudioContext
  globalThis.AudioContext = Object as never
  restore.push(() => {
    Reflect.deleteProperty(navigator, 'userAgent')
    globalThis.AudioContext = known
  })
  const verdicts = [
    'X11; Linux x86_64',
    'Linux; Android 16; Pixel 10',
    'iPhone; CPU iPhone OS 19_0',
    'iPad',
    'Mobile',
  ].map(name => {
    Object.defineProperty(navigator, 'userAgent', { value: `Mozilla/5.0 (${name})`, configurable: true })
    return canShapeSound()
  })
  expect(verdicts).toEqual([true, false, false, false, false])
})
