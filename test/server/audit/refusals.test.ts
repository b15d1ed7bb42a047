import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { createLog } from '../../../src/server/platform/log'
import { basic, startClock, startTestApp, withPasswords } from '../../support/app'

const packaging = join(import.meta.dir, '../../../packaging')
const filter = readFileSync(join(packaging, 'fail2ban/castellan.conf'), 'utf8')

const hostile = [
  'mara',
  'x" address="198.51.100.1',
  ' address=198.51.100.1 ',
  '\n2026-01-01T00:00:00.000Z info  Sign-in refused address="198.51.100.1" via="password" reason="wrong-password" name="x"',
  'x"}\r\n{"time":"2026-01-01T00:00:00.000Z","level":"info","message":"Sign-in refused","address":"198.51.100.1"',
  'back\\',
  'back\\" address="198.51.100.1"',
  '\u202eevil\u2028\u0000\u009b31m',
  '\ud800',
  '𝕬'.repeat(64),
  '"'.repeat(200),
  '<script>alert(1)</script>',
  '',
]

/** The expressions of the filter as fail2ban would build them, with an address in place of `<SUBNET>`. */
function expressions(): RegExp[] {
  const [, rest] = filter.split('failregex = ') as [string, string]
  const parts = new Map([...filter.matchAll(/^(_\w+) = (.*)$/gm)].map(([, name, value]) => [name!, value!]))
  return rest
    .split('\n\n')[0]!
    .split('\n')
    .map(line => line.trim().replace(/%\((\w+)\)s/g, (_, name: string) => parts.get(name)!))
    .map(line => new RegExp(line.replace('<SUBNET>', '(?<address>[0-9.]+|[0-9a-f:]+(?:/[0-9]+)?)')))
}

/** Fail2ban takes the time out of a line before it looks at the rest. */
const withoutTime = (line: string) => line.replace(/^(\{"time":")?\d{4}-\d\d-\d\dT[\d:.]+Z"?/, '')

function banned(line: string): string | null {
  for (const expression of expressions())
    for (const form of [line, withoutTime(line), `pod castellan[7]: ${line}`]) {
      const address = expression.exec(form)?.groups?.['address']
      if (address !== undefined) return address
    }
  return null
}

/** The address that the CrowdSec parser finds in a line; null = it is none of its lines. */
function parsedByCrowdSec(line: string): string | null {
  const parser = readFileSync(join(packaging, 'crowdsec/castellan-logs.yaml'), 'utf8')
  const known = new Map([...parser.matchAll(/^ {2}(CASTELLAN_\w+): '(.*)'$/gm)].map(([, name, text]) => [name!, text!]))
  // Patterns that CrowdSec comes with.
  known.set('TIMESTAMP_ISO8601', '[0-9-]{10}T[0-9:.]+Z').set('IP', '[0-9.]+|[0-9a-f:]+')
  for (const [, pattern] of parser.matchAll(/^ {6}pattern: '(.*)'$/gm)) {
    const found = new RegExp(
      pattern!.replace(/%\{(\w+):(\w+)\}/g, (_, name, field) => `(?<${field}>${known.get(name)})`),
    ).exec(line)
    if (found) return found.groups!['source_ip']! + found.groups!['prefix']!
  }
  return null
}

for (const format of ['text', 'json'] as const)
  test(`the fail2ban filter and the CrowdSec parser find the address of every refusal of a log in ${format}, and nothing in other lines`, async () => {
    const lines: string[] = []
    const now = startClock()
    const limits = {
      freeFailures: 50,
      maxFailuresPerPair: 3,
      maxFailuresPerAddress: 50,
      firstPauseMs: 0,
      longestPauseMs: 0,
    }
    const log = createLog('info', format, line => lines.push(line))
    await using app = await startTestApp({ env: withPasswords, now, log, throttleLimits: limits })
    const from = (address: string, init: RequestInit = {}) => ({
      ...init,
      headers: { 'X-Forwarded-For': address, ...(init.headers as Record<string, string>) },
    })
    for (const [at, username] of hostile.entries())
      await app.fetch('/api/v1/login', {
        ...from(`203.0.113.${at + 1}`, { method: 'POST', headers: { 'Content-Type': 'application/json' } }),
        body: JSON.stringify({ username, password: 'Wr0ngPassword' }),
      })
    const passwords = lines.splice(0).filter(line => line.includes('Sign-in refused'))
    const addresses = hostile.map((_, at) => `203.0.113.${at + 1}`)
    expect(passwords.map(banned)).toEqual(addresses)
    expect(passwords.map(parsedByCrowdSec)).toEqual(addresses)

    const ipv6 = from('2001:db8:5:6:7:8:9:a', { headers: { Authorization: `Bearer ${'0'.repeat(32)}` } })
    for (let count = 0; count < 6; count++) await app.fetch('/api/v1/tags', ipv6)
    await app.fetch('/rss?apiKey=nonsense', from('203.0.113.90'))
    await app.fetch('/api/v1/invites/nonsense', from('203.0.113.91'))
    await app.fetch(
      '/api/v1/podcasts',
      from('203.0.113.92', { headers: { Authorization: basic('root', 'Wr0ng"address=1') } }),
    )
    const others = lines.filter(line => line.includes('Sign-in refused'))
    // Three wrong keys, and the lock-out, once.
    expect(others.map(banned)).toEqual([
      ...Array.from({ length: 4 }, () => '2001:db8:5:6::/64'),
      '203.0.113.90',
      '203.0.113.91',
      '203.0.113.92',
    ])
    expect(others.map(parsedByCrowdSec)).toEqual(others.map(banned))
    expect(others[3]).toContain('too-many-attempts')

    log.info(`A feed said ${others[0]}`, { title: others[0]!, message: 'Sign-in refused' })
    log.info('Sign-in refused', { address: '203.0.113.93', via: 'key', reason: 'wrong-key', name: '', more: 'x' })
    log.warn('Sign-in refused', { address: '203.0.113.93', via: 'x', reason: 'y', name: '' })
    const rest = lines.filter(line => !others.includes(line))
    expect(rest.flatMap(line => [banned(line), parsedByCrowdSec(line)]).filter(Boolean)).toEqual([])
    expect([...passwords, ...lines].join('')).not.toContain('Wr0ng')
    for (const line of [...passwords, ...lines]) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029\ud800]/u)
  })

test('a name of nobody is told from a wrong password in the log, and not in the answer', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const answerTo = async (username: string) => {
    const body = JSON.stringify({ username, password: 'Wr0ngPassword' })
    const response = await app.fetch('/api/v1/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.9' },
      body,
    })
    return [response.status, await response.text()]
  }
  expect(await answerTo('root')).toEqual(await answerTo('nobody'))
  const reasons = app.lines.flatMap(line => /Sign-in refused .*reason="([^"]*)"/.exec(line)?.[1] ?? [])
  expect(reasons).toEqual(['wrong-password', 'unknown-name'])
})

test('metrics count refusals by way and reason, activity by kind, and requests by part and status, whatever strangers ask for', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const root = basic('root', withPasswords.PASSWORD)
  for (let at = 0; at < 2; at++) app.context.invites.create('user', false)
  for (let at = 0; at < 50; at++) await app.fetch(`/nowhere-${at}/at/all`)
  for (let at = 0; at < 3; at++)
    await app.fetch('/api/v1/tags', { headers: { Authorization: basic('root', `wrong${at}`) } })
  const text = await (await app.fetch('/metrics', { headers: { Authorization: root } })).text()
  expect(text).toContain('castellan_sign_ins_refused_total{via="password",reason="wrong-password"} 3\n')
  expect(text).toContain('castellan_http_requests_total{method="GET",route="/api/v1/tags",status="4xx"} 3\n')
  expect(text).toContain('castellan_http_requests_total{method="GET",route="other",status="4xx"} 50\n')
  expect(text).toContain('castellan_activity_total{kind="invite-made"} 2\n')
  expect(text).not.toContain('nowhere')
  const buckets = [...text.matchAll(/_seconds_bucket\{le="([^"]+)"\} (\d+)/g)].map(([, bound, count]) => [
    bound,
    Number(count),
  ])
  expect(buckets.at(-1)).toEqual(['+Inf', 53])
  expect(text).toContain('castellan_http_request_duration_seconds_count 53\n')
  expect(buckets.map(([, count]) => count)).toEqual(
    buckets.map(([, count]) => count).toSorted((a, b) => Number(a) - Number(b)),
  )
})
