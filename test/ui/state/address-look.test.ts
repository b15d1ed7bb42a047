import { expect, test } from 'bun:test'
import type { PodcastPreview } from '../../../src/shared/api/directory'
import { createAddPodcast, createFirstRun } from '../../../src/ui/state/shell'
import { createAddressLook, isAddress } from '../../../src/ui/state/address-look'
import { signal } from '@preact/signals-core'
import { createCalls } from '../../support/settled'

const known = (name: string): PodcastPreview => ({ kind: 'known', podcastId: name, name })

test('another name goes with every look until something else is typed', async () => {
  const { look, preview } = start()
  look.type('a.example')
  look.lookAs('Mozilla/5.0')
  look.choose('https://a.example/feed')
  look.type('b.example')
  expect(preview.calls.map(({ args: [address, , name] }) => [address, name])).toEqual([
    ['a.example', undefined],
    ['a.example', 'Mozilla/5.0'],
    ['https://a.example/feed', 'Mozilla/5.0'],
    ['b.example', undefined],
  ])
  expect(look.userAgent.value).toBeUndefined()
})

function start() {
  const preview = createCalls<[string, AbortSignal, string?], PodcastPreview>()
  return { look: createAddressLook(preview.call, 0), preview }
}

test('an address is told from words', () => {
  for (const address of ['https://a.example/feed', 'feed:a.example', 'a.example', 'localhost:80/feed', 'a.example/b c'])
    expect([address, isAddress(address)]).toEqual([address, !address.includes(' ')])
  for (const words of ['fog', 'fog and foam', 'Dr. Fog', 'fog: a history', ''])
    expect([words, isAddress(words)]).toEqual([words, false])
})

test('the address that was typed last is shown', async () => {
  const { look, preview } = start()
  look.type('https://a.example')
  look.type('https://a.example/feed')
  expect([preview.calls.map(({ args }) => args[0]), preview.calls[0]!.args[1].aborted]).toEqual([
    ['https://a.example', 'https://a.example/feed'],
    true,
  ])
  await preview.answer(known('feed'), 1)
  await preview.answer(known('page'), 0)
  expect(look.looked.value).toEqual({ address: 'https://a.example/feed', seen: known('feed') })
})

test('words, and an empty field, are not looked up and forget what was', async () => {
  const { look, preview } = start()
  look.type('a.example')
  await preview.answer(known('a'))
  look.type(' a.example ')
  expect(preview.calls).toHaveLength(1)
  look.type('fog and foam')
  expect([preview.calls.length, look.looked.value, look.isBusy.value]).toEqual([1, null, false])
})

test('a password goes with the address, and not into the field', async () => {
  const { look, preview } = start()
  look.type('a.example')
  await preview.answer({ kind: 'sign-in', feedUrl: 'https://a.example/', isRefused: false })
  look.signIn('https://a.example/', 'mara', 'p@ss:/')
  expect(preview.calls[1]!.args[0]).toBe('https://mara:p%40ss%3A%2F@a.example/')
  expect(look.text.value).toBe('a.example')
})

test('the page of an empty library stays while podcasts are added, until the user goes on', () => {
  const isEmpty = signal(true)
  const firstRun = createFirstRun(isEmpty)
  expect(firstRun.isShown.value).toBe(true)
  firstRun.hold()
  isEmpty.value = false
  expect(firstRun.isShown.value).toBe(true)
  firstRun.end()
  expect(firstRun.isShown.value).toBe(false)
})

test('the dialog opens empty, or with an address; the end of one opening leaves the next open', () => {
  const add = createAddPodcast()
  add.open('https://a.example')
  const first = add.opening.value!
  expect(first.text).toBe('https://a.example')
  add.open()
  const second = add.opening.value!
  add.close(first)
  expect(add.opening.value).toEqual({ id: second.id, text: '' })
  add.close(second)
  expect(add.opening.value).toBeNull()
})
