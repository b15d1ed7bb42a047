import { expect, test } from 'bun:test'
import { runUpdateCommand } from '../../../src/server/cli/update'
import { readConfig } from '../../../src/server/config'
import { version } from '../../../src/server/platform/version'
import { refusal } from '../../support/app'
import { startFeedHost, type Handler } from '../../support/feed-host'

/** Runs the check against a host that answers like this. */
async function check(answer: Handler) {
  using host = startFeedHost()
  const address = host.on('/latest.json', answer)
  const lines: string[] = []
  const code = await runUpdateCommand(['--check'], readConfig({ UPDATE_CHECK_URL: address }), line => lines.push(line))
  return { code, text: lines.join('\n').replace(address, 'ADDRESS') }
}

test('a check says whether there is a newer version, and its exit code tells scripts', async () => {
  expect(await check(() => Response.json({ version }))).toEqual({
    code: 0,
    text: `Castellan ${version} is the newest version.`,
  })
  expect(await check(() => Response.json({ version: '99.1.0', url: 'https://a.example/99' }))).toEqual({
    code: 1,
    text: `Castellan 99.1.0 is available; this is ${version}. https://a.example/99`,
  })
})

test('a check that fails is neither a newer version nor none', async () => {
  expect(await check(() => new Response('no', { status: 403 }))).toEqual({
    code: 2,
    text: 'ADDRESS refuses the request (status 403).',
  })
  expect(await check(() => new Response('<html>'))).toEqual({ code: 2, text: 'ADDRESS does not name a version.' })
})

test('nothing is installed, and without an address the check fails', async () => {
  const lines: string[] = []
  const run = (...args: string[]) => runUpdateCommand(args, readConfig({}), line => lines.push(line), null)
  expect(String(await refusal(run()))).toContain('installs no updates')
  expect(await run('--check')).toBe(2)
  expect(lines).toEqual(['No address to ask: set UPDATE_CHECK_URL.'])
})
