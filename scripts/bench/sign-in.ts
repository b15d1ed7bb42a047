import { join } from 'node:path'
import { median } from '../../test/support/measure'
import { callsOf, importFeeds, noPrefill } from './api'
import { load } from './load'
import { startUpMs } from './process'

type Report = (name: string, value: string, wanted?: string) => void

/** Requests per second with a Basic header on each, beside those of open mode. */
export async function measureSignIn(
  folder: string,
  castellan: string,
  env: Record<string, string>,
  origins: readonly string[],
  report: Report,
) {
  const library = Array.from(
    { length: 10 },
    (_, index) => `${origins[index % origins.length]}/library/Library%20${index}`,
  )
  const of = async (name: string, more: Record<string, string>, authorization?: string) => {
    const data = { ...env, DATA_DIRECTORY: join(folder, name), HOST: '127.0.0.1' }
    // Filled in open mode: what it holds is then the account's that the configuration names.
    const filling = await startUpMs([castellan], data, '/healthz')
    const call = callsOf(filling.origin)
    await noPrefill(call)
    await importFeeds(call, library)
    await filling.stop()
    const server = await startUpMs([castellan], { ...data, ...more }, '/healthz')
    const headers: Record<string, string> = authorization ? { Authorization: authorization } : {}
    return { server, headers, rates: [] as number[] }
  }
  const password = { BASIC_AUTH: 'true', USERNAME: 'root', PASSWORD: 'Sup3rSecret' }
  const open = await of('open', {})
  const basic = await of('basic', password, `Basic ${btoa('root:Sup3rSecret')}`)
  for (let round = 0; round < 7; round++)
    for (const { server, headers, rates } of [open, basic]) {
      const ask = () => fetch(`${server.origin}/api/v1/podcasts/timeline`, { headers })
      rates.push((await load([server.pid], ask, 1500)).rate)
    }
  await Promise.all([open.server.stop(), basic.server.stop()])
  report('GET /podcasts/timeline in open mode, 8 connections', `${median(open.rates).toFixed(0)} requests/s`)
  report('  with a Basic header', `${median(basic.rates).toFixed(0)} requests/s`)
  report('  ratio', `${(median(basic.rates) / median(open.rates)).toFixed(2)} ×`, '≥ 0.9 ×')
}
