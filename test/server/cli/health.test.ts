import { expect, test } from 'bun:test'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runHealthCommand } from '../../../src/server/cli/health'
import { readConfig, type Environment } from '../../../src/server/config'
import { refusal, startTestApp, temporaryFolder, withPasswords } from '../../support/app'
import { certificate, certificateKey } from '../../support/certificate'
import { withEnvironment } from '../../support/environment'

/** Runs the command with the configuration of a server. */
async function run(env: Environment) {
  const lines: string[] = []
  const isReady = await runHealthCommand([], readConfig(env), line => void lines.push(line))
  return { isReady, text: lines.join('\n') }
}

const portOf = (address: string) => new URL(address).port

test('a server that can work is ready, below a path and with sign-in', async () => {
  const env = { ...withPasswords, SUB_DIRECTORY: '/pods' }
  await using app = await startTestApp({ env })
  expect(await run({ ...env, PORT: portOf(app.listen()) })).toEqual({ isReady: true, text: 'ready' })
})

test('the server is asked past the proxies of the environment', async () => {
  await using app = await startTestApp()
  const PORT = portOf(app.listen())
  using _proxy = withEnvironment({ HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '' })
  expect(await run({ PORT })).toEqual({ isReady: true, text: 'ready' })
})

test('a server with a certificate is asked by https, whatever name the certificate has', async () => {
  const folder = temporaryFolder()
  const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(TLS_CERT, certificate)
  writeFileSync(TLS_KEY, certificateKey)
  await using app = await startTestApp({ env: { TLS_CERT, TLS_KEY } })
  const PORT = portOf(app.listen())
  expect(await run({ PORT, TLS_CERT, TLS_KEY })).toEqual({ isReady: true, text: 'ready' })
  expect((await run({ PORT })).isReady).toBe(false)
})

test('a server that listens on every address is asked on this machine', async () => {
  await using app = await startTestApp()
  const PORT = portOf(app.listen())
  expect((await run({ ...withPasswords, HOST: '0.0.0.0', PORT })).isReady).toBe(true)
  expect((await run({ ...withPasswords, HOST: '::', PORT: '1' })).text).toStartWith(
    'http://[::1]:1/readyz does not answer',
  )
})

test('a server with a problem is not ready, and the line names the problem', async () => {
  await using app = await startTestApp()
  const PORT = portOf(app.listen())
  renameSync(app.folder, `${app.folder}-away`)
  expect(await run({ PORT })).toEqual({
    isReady: false,
    text: 'not ready: problem with disk. Run castellan doctor for details.',
  })
  renameSync(`${app.folder}-away`, app.folder)
})

test('no server, and one that is not Castellan, are told apart', async () => {
  using other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('<h1>It works!</h1>') })
  const PORT = String(other.port)
  const address = `http://127.0.0.1:${PORT}/readyz`
  expect(await run({ PORT })).toEqual({
    isReady: false,
    text: `${address} is not an address of Castellan: check PORT and SUB_DIRECTORY`,
  })
  await other.stop(true)
  const none = await run({ PORT })
  expect(none.isReady).toBe(false)
  expect(none.text).toStartWith(`${address} does not answer: `)
  expect(none.text).not.toContain('\n')
})

test('a port that only the log names cannot be asked, and an option is refused', async () => {
  expect(((await refusal(run({ PORT: '0' }))) as Error).message).toStartWith('PORT is 0')
  expect(((await refusal(runHealthCommand(['--fast'], readConfig({}), () => {}))) as Error).message).toBe(
    'health has no option "--fast"',
  )
})
