import { afterEach, expect, test } from 'bun:test'
import { createOtherTabs } from '../../../src/ui/device/other-tabs'
import { createCredentials } from '../../../src/ui/state/credentials'
import { createMemoryStorage } from '../../support/memory-storage'

const alice = { username: 'alice', password: 'Corr3ctHorse' }
const bob = { username: 'bob', password: 'Ano7herOne' }
const channels: BroadcastChannel[] = []
afterEach(() => {
  for (const channel of channels.splice(0)) channel.close()
})

/** A browser whose tabs share a local storage and a channel; `tab` opens one, or reopens the one of a storage. */
function openBrowser() {
  const local = createMemoryStorage()
  const name = `tabs-${crypto.randomUUID()}`
  return {
    local,
    tab(storage = createMemoryStorage()) {
      const channel = new BroadcastChannel(name)
      channels.push(channel)
      // A turn of the loop that no message waits longer for.
      const later = (work: () => void) => void setTimeout(work, 50)
      return { storage, ...createCredentials(local as never, storage as never, createOtherTabs(channel, later)) }
    },
  }
}

test('a tab gets the password that another open one keeps, and nothing where none is open', async () => {
  const browser = openBrowser()
  const first = browser.tab()
  first.keep(alice, false)
  const second = browser.tab()
  expect(second.read()).toBe(null)
  await second.askOtherTabs()
  expect([second.read(), second.isOfTab(), browser.local.getItem('auth')]).toEqual([alice, true, null])

  const closed = openBrowser()
  closed.local.setItem('sign-in', 'one whose tabs are closed')
  const late = closed.tab()
  await late.askOtherTabs()
  expect(late.header()).toBe(null)
})

test('a tab forgets its password when another signs out, also one that was closed then and is reopened', async () => {
  const browser = openBrowser()
  const [one, two] = [browser.tab(), browser.tab()]
  one.keep(alice, false)
  await two.askOtherTabs()
  one.clear()
  expect(two.header()).toBe(null)
  await two.askOtherTabs()
  expect(two.header()).toBe(null)

  const closed = createMemoryStorage()
  browser.tab(closed).keep(alice, false)
  one.keep(bob, false)
  expect(browser.tab(closed).read()).toBe(null)
})

test('a tab takes the new password of another, whose sign-in it shares', async () => {
  const browser = openBrowser()
  const [one, two] = [browser.tab(), browser.tab()]
  one.keep(alice, false)
  await two.askOtherTabs()
  one.keep({ ...alice, password: 'N3wOneHere' }, false)
  await two.askOtherTabs()
  expect([two.read()?.password, one.read()?.password]).toEqual(['N3wOneHere', 'N3wOneHere'])
})

test('a sign-in to be remembered, or by a cookie, ends those of tabs', async () => {
  const browser = openBrowser()
  const [one, two] = [browser.tab(), browser.tab()]
  one.keep(alice, false)
  await two.askOtherTabs()
  one.keep(bob, true)
  expect([two.read()?.username, two.isOfTab()]).toEqual(['bob', false])
  one.keep(alice, false)
  await two.askOtherTabs()
  one.keepCookie('b')
  expect([two.header(), two.cookieOf(), one.header()]).toEqual([null, 'b', null])
})
