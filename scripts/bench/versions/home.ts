import { connect, createServer, type AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { openPage } from '../interface'
import { painted } from '../vitals'

/** Kilobytes that a browser receives for the home page: with an empty cache, and when it comes again. */
export async function homeBytes(browser: Browser, origin: string): Promise<[cold: number, warm: number]> {
  await using counter = await startCounter(Number(new URL(origin).port))
  const page = await openPage(browser, counter.origin, '/home/view', 1)
  const settle = async () => {
    await page.locator('.episode').first().waitFor()
    await page.waitForLoadState('networkidle')
    await painted(page)
    return counter.take() / 1000
  }
  const cold = await settle()
  await page.reload()
  const warm = await settle()
  await page.context().close()
  return [cold, warm]
}

/** Passes connections on to a port, and counts what comes back, headers included. */
async function startCounter(port: number) {
  let bytes = 0
  const server = createServer(client => {
    const upstream = connect(port, '127.0.0.1')
    upstream.on('data', chunk => (bytes += chunk.length))
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Bytes since it was asked before. */
    take() {
      const taken = bytes
      bytes = 0
      return taken
    },
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}
