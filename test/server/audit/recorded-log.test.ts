import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { allCases } from '../../support/acts'
import { admin, basicOf, envOf, redirectUri, visitor, type World } from '../../support/acts/world'
import { temporaryFolder } from '../../support/app'
import { startExecutable } from '../../support/executable'
import { startFeedHost } from '../../support/feed-host'
import { startOpenIdProvider } from '../../support/openid-provider'

const packaging = join(import.meta.dir, '../../../packaging')

/** The log of the executable in which everything has happened that needs no other process. */
async function record(format: 'text' | 'json'): Promise<string[]> {
  const provider = await startOpenIdProvider({ redirectUri })
  const host = startFeedHost()
  const env = { ...envOf(provider), DATA_DIRECTORY: temporaryFolder(), LOG_FORMAT: format, LOG_LEVEL: 'debug' }
  const server = await startExecutable(env)
  const origin = server.origin.replace('127.0.0.1', 'localhost')
  const world: World = {
    origin,
    fetch: request => fetch(new Request(request.url.replace('http://localhost', origin), request)),
    now: Date.now,
    provider,
    host,
    secrets: [],
    memory: null,
  }
  try {
    for (const { cause, from, inMemory } of allCases) if (!inMemory) await cause(world, from)
    const header = basicOf(admin.username, 'wrong')
    await visitor(world, '2001:db8:5:6:7:8:9:a', header).send('GET', '/api/v1/tags')
  } finally {
    await server.stop()
    host.stop()
    provider[Symbol.dispose]()
  }
  return server.output.join('').trim().split('\n')
}

const isRefusal = (line: string) => / info {2}Sign-in refused |"message":"Sign-in refused"/.test(line)
const addressIn = (line: string) => /"?address"?[=:]"([^"]*)"/.exec(line)![1]!

/** The addresses that fail2ban finds in lines, in their order. */
function found(lines: readonly string[]): string[] {
  const log = join(temporaryFolder(), 'castellan.log')
  writeFileSync(log, `${lines.join('\n')}\n`)
  const command = ['fail2ban-regex', '--out', 'ip', log, join(packaging, 'fail2ban/castellan.conf')]
  const { stdout, exitCode, stderr } = Bun.spawnSync(command)
  if (exitCode !== 0) throw new Error(stderr.toString())
  return stdout.toString().split('\n').filter(Boolean)
}

for (const format of ['text', 'json'] as const)
  test.skipIf(!Bun.which('fail2ban-regex'))(
    `fail2ban finds every refusal in a log in ${format} that the executable wrote, and nothing else`,
    async () => {
      const lines = await record(format)
      const refusals = lines.filter(isRefusal)
      const others = lines.filter(line => !isRefusal(line))
      expect(refusals.length).toBeGreaterThan(70)
      expect(others.length).toBeGreaterThan(100)
      for (const { kind, inMemory } of allCases)
        if (!inMemory && kind !== 'sign-in-refused')
          expect(others.join('\n')).toMatch(new RegExp(`"?kind"?[=:]"${kind}"`))
      // As Docker, systemd and a file show them.
      const asJournal = (line: string) => `Nov 26 23:50:35 pod castellan[7]: ${line}`
      expect(found(refusals)).toEqual(refusals.map(addressIn))
      expect(found(refusals.map(asJournal))).toEqual(refusals.map(addressIn))
      expect(found(others)).toEqual([])
      expect(addressIn(refusals.at(-1)!)).toBe('2001:db8:5:6::/64')
    },
    120_000,
  )
