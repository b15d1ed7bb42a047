import { expect, test } from 'bun:test'
import { basic, goodPassword, startClock, startTestApp, withPasswords } from '../../support/app'

const archive = '/api/v1/users/me/everything.zip'

test('a browser saves the archive by its cookie alone, under a name with the day', async () => {
  await using app = await startTestApp({ env: withPasswords, now: startClock() })
  await app.signUp('alice')
  const authorization = { Authorization: basic('alice', goodPassword) }
  const begun = await app.fetch('/api/v1/session', { method: 'POST', headers: authorization })
  const cookie = begun.headers.get('set-cookie')!.split(';')[0]!
  const saved = await app.fetch(archive, { headers: { cookie } })
  expect([saved.status, saved.headers.get('content-type'), saved.headers.get('cache-control')]).toEqual([
    200,
    'application/zip',
    'no-store',
  ])
  expect(saved.headers.get('content-disposition')).toBe('attachment; filename="castellan-2026-05-01.zip"')
  expect(String.fromCharCode(...(await saved.bytes()).subarray(0, 2))).toBe('PK')
  // Only the archive: a page of another site could change nothing, but the rest stays as it was.
  expect((await app.fetch('/api/v1/users/me/everything', { headers: { cookie } })).status).toBe(401)
  expect((await app.fetch(archive, { method: 'POST', headers: { cookie } })).status).toBe(405)
})

test('no key in an address opens everything of a person', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { row } = await app.signUp('alice')
  const key = app.context.feedKeys.of(row)
  const apiKey = '0123456789abcdef0123456789abcdef'
  await app.context.users.edit(row, { apiKey })
  for (const one of [key, apiKey]) expect((await app.fetch(`${archive}?apiKey=${one}`)).status).toBe(401)
  expect((await app.fetch(archive, { headers: { Authorization: `Bearer ${apiKey}` } })).status).toBe(200)
})

test('a flag that is none is refused before anything is read', async () => {
  await using app = await startTestApp()
  expect((await app.fetch(`${archive}?files=perhaps`)).status).toBe(422)
})
