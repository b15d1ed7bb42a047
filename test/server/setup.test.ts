import { existsSync, readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { addChosen, readConfig, SETTINGS_FILE } from '../../src/server/config'
import { openDataFolder } from '../../src/server/data-folder'
import { serveCheck, serveSetup } from '../../src/server/http/setup'
import { createLog, silentLog } from '../../src/server/platform/log'
import { noChoices } from '../../src/server/setup'
import { temporaryFolder } from '../support/app'
import { freePort } from '../support/ports'
import { runCommand, startExecutable } from '../support/executable'
import { type S3Server, type SeenRequest, startS3Server } from '../support/s3-server'

const entry = join(import.meta.dir, '../../src/server/entry.ts')
const command = [process.execPath, entry]
const answers = (...lines: string[]) => `${lines.join('\n')}\n`

async function signIn(origin: string, username: string, password: string): Promise<number> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ username, password })
  return (await fetch(`${origin}/api/v1/login`, { method: 'POST', headers, body })).status
}

test('castellan setup asks in the terminal, and its admin signs in and may get another password', async () => {
  const folder = temporaryFolder()
  const env = { DATA_DIRECTORY: folder, DISK_RESERVE: '0' }
  const lines = answers('1', 'mara', 'Sup3rSecret', '127.0.0.1', '0', '', join(folder, 'media'))
  const setup = await runCommand([...command, 'setup'], env, lines)
  expect(setup).toMatchObject({ code: 0, stderr: '' })

  const written = readFileSync(join(folder, SETTINGS_FILE), 'utf8')
  expect(written).toContain(`PODCAST_DIRECTORY="${folder}/media"`)
  expect(written).not.toContain('Sup3rSecret')
  expect(statSync(join(folder, SETTINGS_FILE)).mode & 0o777).toBe(0o600)

  await using running = await startExecutable(env, command)
  expect(await signIn(running.origin, 'mara', 'Sup3rSecret')).toBe(200)
  const changed = await runCommand([...command, 'users', 'set-password', 'mara'], env, answers('An0therSecret'))
  expect(changed).toMatchObject({ code: 0, stderr: '' })
  expect(await signIn(running.origin, 'mara', 'Sup3rSecret')).toBe(401)
  expect(await signIn(running.origin, 'mara', 'An0therSecret')).toBe(200)
})

test('castellan setup checks the public address on the port that was chosen, where the environment has an empty one', async () => {
  const [folder, port] = [temporaryFolder(), String(freePort())]
  const lines = answers('1', 'mara', 'Sup3rSecret', '127.0.0.1', port, `http://127.0.0.1:${port}`, '', '')
  const setup = await runCommand([...command, 'setup'], { DATA_DIRECTORY: folder, PORT: '' }, lines)
  expect(setup).toMatchObject({ code: 0, stderr: '' })
  for (const part of ['address', 'range', 'body', 'socket']) expect(setup.stdout).toContain(`ok       ${part}`)
})

test('the environment takes precedence over the answers, and an empty variable leaves them', async () => {
  const folder = temporaryFolder()
  await Bun.write(join(folder, SETTINGS_FILE), 'BASIC_AUTH="true"\nPORT="9000"\nHOST="127.0.0.1"\n')
  const values = { DATA_DIRECTORY: folder, PORT: '7000', HOST: '', PASSWORD: 'Sup3rSecret' }
  const joined = addChosen({ values, mistakes: [] })
  expect(readConfig(joined.values, joined.mistakes)).toMatchObject({ port: 7000, host: '127.0.0.1', byPassword: true })
})

test('a weak password, a folder that cannot be written to and a broken address change nothing', async () => {
  const folder = temporaryFolder()
  const run = (...lines: string[]) => runCommand([...command, 'setup'], { DATA_DIRECTORY: folder }, answers(...lines))
  expect(await run('1', 'mara', 'short')).toMatchObject({ code: 1, stderr: expect.stringContaining('at least 8') })
  expect(await run('1', 'mara', 'Sup3rSecret', '127.0.0.1', '0', '', '/proc/nowhere')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('PODCAST_DIRECTORY'),
  })
  expect(await run('2', 'login.example', 'castellan', '', '', 'groups:admins')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('OIDC_AUTHORITY'),
  })
  expect(await run('2', 'https://login.example', 'castellan', '', 'profile groups', 'groups:admins')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('OIDC_SCOPE is "profile groups", expected openid among its words'),
  })
  expect(existsSync(join(folder, SETTINGS_FILE))).toBe(false)
})

test.each([
  ['a confidential client', 'Pa$$ "w#rd\\', 'openid profile groups'],
  ['a public client', '', ''],
])(
  'castellan setup asks for the provider, its scopes and the secret of %s, which it never prints',
  async (_, secret, scope) => {
    const folder = temporaryFolder()
    const lines = answers('2', 'https://login.example', 'castellan', secret, scope, 'groups:admins', '127.0.0.1', '0')
    const setup = await runCommand([...command, 'setup'], { DATA_DIRECTORY: folder }, lines)
    expect(setup).toMatchObject({ code: 0, stderr: '' })
    if (secret) expect(setup.stdout).not.toContain(secret)
    expect(statSync(join(folder, SETTINGS_FILE)).mode & 0o777).toBe(0o600)
    const joined = addChosen({ values: { DATA_DIRECTORY: folder }, mistakes: [] })
    expect(readConfig(joined.values, joined.mistakes).oidc).toMatchObject({
      clientSecret: secret || null,
      scope: scope || 'openid profile email',
      adminClaim: { name: 'groups', value: 'admins' },
    })
  },
)

/** The setup that waits in an empty folder; `code` as its log prints it. */
async function startSetup(values: Record<string, string> = {}) {
  const env = { DATA_DIRECTORY: temporaryFolder(), HOST: '0.0.0.0', PORT: '0', ...values }
  const { promise, resolve } = Promise.withResolvers<{ code: string; port: number }>()
  const lines: string[] = []
  const log = createLog('error', 'text', line => lines.push(line))
  const needs = { values: env, config: readConfig(env), log, uiFolder: 'dist/ui' }
  const finished = serveSetup(needs, (code, port) => resolve({ code, port }))
  const { code, port } = await promise
  const origin = `http://127.0.0.1:${port}`
  const post = (path: string, body: object, headers = {}) =>
    fetch(`${origin}${path}`, { method: 'POST', body: JSON.stringify(body), headers })
  return { folder: env.DATA_DIRECTORY, code, port, origin, post, finished, lines }
}

const choices = { ...noChoices, username: 'mara', password: 'Sup3rSecret' }

const bucketOf = ({ endpoint, settings: { hasBucket: _, ...rest } }: S3Server) => ({ endpoint, ...rest })

test('an empty folder that others can reach waits for its code, and a stranger learns and changes nothing', async () => {
  const { folder, code, origin, post, finished } = await startSetup()
  for (const path of ['/api/v1/setup', '/api/v1/setup/view'])
    for (const wrong of ['', 'AAAA-AAAA-AAAA', code.slice(1)])
      expect((await post(path, { code: wrong, choices })).status).toBe(403)
  expect((await fetch(`${origin}/api/v1/podcasts`)).status).toBe(404)
  expect((await fetch(`${origin}/ui/assets/castellan.js`)).status).toBe(404)
  expect((await fetch(`${origin}/healthz`)).status).toBe(200)
  expect(existsSync(join(folder, 'castellan.db'))).toBe(false)

  const taken = await post('/api/v1/setup', { code: code.toLowerCase().replaceAll('-', ' '), choices })
  expect(taken.status).toBe(200)
  await finished
  const joined = addChosen({ values: { DATA_DIRECTORY: folder, HOST: '0.0.0.0' }, mistakes: [] })
  expect(readConfig(joined.values)).toMatchObject({ needsSetup: false, isOpen: false, byPassword: true })
})

test('requests that no page sends are refused, and write no errors into the log', async () => {
  const { code, port, post, finished, lines } = await startSetup()
  for (const odd of [{ toString: 1 }, [code], null])
    expect((await post('/api/v1/setup', { code: odd })).status).toBe(403)
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: [::\r\n\r\n'))
  socket.on('data', data => resolve(String(data)))
  expect(await promise).toStartWith('HTTP/1.1 400')
  socket.destroy()
  expect(lines).toEqual([])
  await post('/api/v1/setup', { code, choices })
  await finished
})

test.each([
  ['USERNAME', 'castle', { way: 'password' as const }],
  ['ADMINS', 'castle', { way: 'proxy' as const, header: 'X-User' }],
])('an admin is not created whom %s in the environment would not let in', async (name, value, more) => {
  const { folder, code, post, finished } = await startSetup({ [name]: value })
  const view = await (await post('/api/v1/setup/view', { code })).json()
  expect(view).toMatchObject({ username: name === 'USERNAME' ? value : null })
  const refused = await post('/api/v1/setup', { code, choices: { ...choices, ...more } })
  expect(await refused.json()).toMatchObject({ errorCode: 'setup-refused', message: expect.stringContaining(name) })
  expect(existsSync(join(folder, 'castellan.db'))).toBe(false)

  expect((await post('/api/v1/setup', { code, choices: { ...choices, ...more, username: value } })).status).toBe(200)
  await finished
})

test('of two answers at the same time the first is taken, and a refused one may be corrected', async () => {
  const { folder, code, port, post, finished } = await startSetup()
  expect((await post('/api/v1/setup', { code, choices: { ...choices, password: 'short' } })).status).toBe(422)
  const begun = ['mara', 'zoe'].map(async username => {
    const body = JSON.stringify({ code, choices: { ...choices, username } })
    const { promise, resolve } = Promise.withResolvers<string>()
    const socket = connect(port, '127.0.0.1')
    socket.on('data', data => resolve(String(data).slice(0, 'HTTP/1.1 200'.length)))
    await new Promise(sent =>
      socket.write(`POST /api/v1/setup HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n{`, sent),
    )
    return { finish: () => socket.write(body.slice(1)), status: promise }
  })
  const both = await Promise.all(begun)
  for (const { finish } of both) finish()
  const statuses = await Promise.all(both.map(({ status }) => status))
  expect(statuses.toSorted()).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  await finished
  const { store } = openDataFolder(folder)
  expect(store.users.list()).toHaveLength(1)
  store.close()
})

/** Answers that put media into the bucket of a server for tests. */
const inBucketOf = ({ endpoint, settings }: S3Server) => ({
  bucketAddress: endpoint,
  bucketName: settings.bucket,
  bucketRegion: settings.region,
  bucketKey: settings.accessKey,
  bucketSecret: settings.secretKey,
  bucketPrefix: 'pods',
})

test('a bucket is tried before its address is saved: a wrong secret and a key that may not write change nothing', async () => {
  using s3 = await startS3Server()
  const { folder, code, post, finished } = await startSetup()
  const answers = { ...choices, ...inBucketOf(s3) }
  const wrong = await post('/api/v1/setup', { code, choices: { ...answers, bucketSecret: 'another' } })
  expect(await wrong.json()).toMatchObject({
    errorCode: 'setup-refused',
    message: expect.stringContaining('S3_SECRET_KEY'),
  })
  for (const method of ['PUT', 'GET', 'DELETE']) {
    const isFile = ({ key, method: asked }: SeenRequest) => key !== null && asked === method
    const fault = s3.fail({ kind: 'refuse', status: 403, code: 'AccessDenied' }, { when: isFile })
    const refused = await post('/api/v1/setup', { code, choices: answers })
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining('list, read, write and delete') })
    fault.off()
    expect(fault.met()).toBe(1)
  }
  expect(existsSync(join(folder, 'castellan.db'))).toBe(false)

  s3.forgetRequests()
  expect((await post('/api/v1/setup', { code, choices: answers })).status).toBe(200)
  await finished
  const keys = s3.requests.flatMap(({ key }) => key ?? [])
  expect(keys).toHaveLength(3)
  for (const key of keys) expect(key).toStartWith('pods/.castellan-')
  const joined = addChosen({ values: { DATA_DIRECTORY: folder }, mistakes: [] })
  expect(readConfig(joined.values)).toMatchObject({ mediaStorage: 's3', bucket: { ...bucketOf(s3), prefix: 'pods/' } })
})

test('castellan setup asks for a bucket, says why it can not be used, and saves one that can', async () => {
  using s3 = await startS3Server()
  const folder = temporaryFolder()
  const { endpoint, settings } = s3
  const before = ['1', 'mara', 'Sup3rSecret', '127.0.0.1', '0', '', '']
  const run = (secret: string) => {
    const lines = [...before, endpoint, settings.bucket, settings.region, '', settings.accessKey, secret]
    return runCommand([...command, 'setup'], { DATA_DIRECTORY: folder }, answers(...lines))
  }
  expect(await run('another')).toMatchObject({ code: 1, stderr: expect.stringContaining('S3_SECRET_KEY') })
  expect(existsSync(join(folder, SETTINGS_FILE))).toBe(false)
  expect(await run(settings.secretKey)).toMatchObject({ code: 0, stderr: '' })
  const joined = addChosen({ values: { DATA_DIRECTORY: folder }, mistakes: [] })
  expect(readConfig(joined.values)).toMatchObject({ mediaStorage: 's3', bucket: bucketOf(s3) })
})

test('the server that checks a connection for the terminal accepts no answers', async () => {
  const env = { DATA_DIRECTORY: temporaryFolder(), HOST: '127.0.0.1', PORT: String(freePort()) }
  const server = serveCheck({ values: env, config: readConfig(env), log: silentLog, uiFolder: 'dist/ui' })
  let attempt: Response | null = null
  // The address that somebody typed may lead to a stranger, who then knows the code.
  const stranger = async (url: string, options: RequestInit) => {
    const { code } = JSON.parse(options.body as string) as { code: string }
    const body = JSON.stringify({ code, choices })
    attempt = await fetch(url.replace('/view', ''), { method: 'POST', body })
    return fetch(url, options)
  }
  const origin = `http://127.0.0.1:${env.PORT}/`
  expect(await server.view(origin, stranger)).toBe(origin)
  expect(attempt).toMatchObject({ status: 404 })
  expect(existsSync(join(env.DATA_DIRECTORY, 'castellan.db'))).toBe(false)
  await server.stop()
})

test('the setup recognises the path that a proxy left in its requests, and a proxy that is not trusted', async () => {
  const { code, origin, post, finished } = await startSetup({ TRUSTED_PROXIES: '10.0.0.0/8' })
  const found = await fetch(`${origin}/podcasts/`, { redirect: 'manual' })
  expect(found.headers.get('location')).toBe('./ui/')
  expect((await fetch(`${origin}/podcasts/login`, { redirect: 'manual' })).headers.get('location')).toBe('ui/')
  const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'pod.example' }
  const view = await post('/podcasts/api/v1/setup/view', { code }, headers)
  expect(await view.json()).toMatchObject({
    serverUrl: `${origin}/podcasts/`,
    trustedUrl: 'https://pod.example/podcasts/',
    prefix: '/podcasts',
    untrustedProxy: '127.0.0.1',
  })
  await post('/api/v1/setup', { code, choices })
  await finished
})

test('a library without sign-in is not opened to the network, and no setup is served for it', async () => {
  const folder = temporaryFolder()
  await runCommand([...command, 'init'], { DATA_DIRECTORY: folder })
  const env = { DATA_DIRECTORY: folder, HOST: '0.0.0.0', PORT: '0' }
  const started = await runCommand(command, env)
  expect(started).toMatchObject({ code: 1, stderr: expect.stringContaining('castellan setup') })
})
