import { expect, test } from 'bun:test'
import { startTestApp, withPasswords } from '../../support/app'

const asPage = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

test('/login and /invite/{id} without the base lead a browser to the pages, below a prefix too', async () => {
  for (const prefix of ['', '/pod']) {
    await using app = await startTestApp({ env: { ...withPasswords, ...(prefix && { SUB_DIRECTORY: prefix }) } })
    const open = async (path: string, headers: Record<string, string> = asPage) => {
      const { status, headers: given } = await app.fetch(path, { headers })
      return [status, given.get('location')]
    }
    expect(await open('/login')).toEqual([302, `${prefix}/ui/login`])
    expect(await open('/login/?lng=de-DE')).toEqual([302, `${prefix}/ui/login?lng=de-DE`])
    expect(await open('/invite/3f2a', { ...asPage, 'Sec-Fetch-Mode': 'navigate' })).toEqual([
      302,
      `${prefix}/ui/invite/3f2a`,
    ])
    expect(await open('/invite/%0d%0aSet-Cookie:%20a=b')).toEqual([302, `${prefix}/ui/invite/%0d%0aSet-Cookie:%20a=b`])
    for (const path of ['/logins', '/invite/', '/invite/a/b', '/invite//evil.example'])
      expect([path, (await open(path))[1]]).toEqual([path, null])
  }
})

test('programs find the calls at the same paths, and no page', async () => {
  await using app = await startTestApp({ env: { ...withPasswords, AUDIOBOOKSHELF_API: 'true' } })
  const body = JSON.stringify({ username: 'root', password: 'Sup3rSecret' })
  const headers = { ...asPage, 'Content-Type': 'application/json' }
  const login = await app.fetch('/login', { method: 'POST', body, headers })
  expect([login.status, ((await login.json()) as { user: { username: string } }).user.username]).toEqual([200, 'root'])
  const asked: Record<string, string>[] = [{}, { Accept: 'application/json, text/plain, */*' }]
  for (const headers of [...asked, { ...asPage, 'Sec-Fetch-Mode': 'cors' }]) {
    expect((await app.fetch('/login', { headers })).status).toBe(401)
    expect((await app.fetch('/invite/3f2a', { headers })).status).toBe(404)
  }
})
