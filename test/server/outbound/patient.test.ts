import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'bun:test'
import { fetchPatiently } from '../../../src/server/outbound/patient'

test('a patient request fails when nothing listens, instead of waiting for ever', async () => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  const target = new URL(`http://127.0.0.1:${port}/`)
  expect(await fetchPatiently(target, {}, '127.0.0.1').catch(String)).toMatch(/connect|refused/i)
})

test('a patient request fails when the host hangs up before it answers, and when it is called off', async () => {
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>()
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', data => {
      if (data.includes('GET /hang-up')) socket.destroy()
      else asked()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const failure = async (path: string, init: RequestInit = {}) =>
    fetchPatiently(new URL(path, origin), init, '127.0.0.1').then(
      () => null,
      (error: unknown) => error,
    )
  expect(await failure('/hang-up')).toBeInstanceOf(Error)
  const control = new AbortController()
  const waiting = failure('/wait', { signal: control.signal })
  await isAsked
  control.abort()
  expect(await waiting).toBeInstanceOf(Error)
  server.close()
})
