import { expect, test } from 'bun:test'
import { basic, temporaryFolder, withPasswords } from './support/app'
import { webhookAt } from './support/destinations'
import { startExecutable } from './support/executable'
import { startRandom } from './support/random'
import { startReceiver } from './support/receiver'

const { USERNAME, PASSWORD } = withPasswords
const ROUNDS = 6
const PER_ROUND = 4
const headers = { Authorization: basic(USERNAME, PASSWORD), 'Content-Type': 'application/json' }

const systems = ['Windows NT 10.0', 'X11; Linux x86_64', 'Macintosh; Intel Mac OS X 15_0', 'Android 16; Mobile']
const browsers = ['Firefox/150.0', 'Chrome/153.0', 'Edg/153.0', 'OPR/130.0', 'Safari/604.1', 'SamsungBrowser/30.0']

/** The browsers that the test signs in with. Each has a network of its own, so that each is a new place. */
const places = Array.from({ length: ROUNDS * PER_ROUND + 1 }, (_, index) => ({
  agent: `Mozilla/5.0 (${systems[index % systems.length]}) ${browsers[Math.floor(index / systems.length) % browsers.length]}`,
  address: `198.51.${index + 1}.7`,
  network: `198.51.${index + 1}.*`,
}))

/** Signs in from a place; true once the server has acknowledged it. */
async function signIn(origin: string, { agent, address }: (typeof places)[number]): Promise<boolean> {
  const response = await fetch(`${origin}/api/v1/session`, {
    method: 'POST',
    headers: { ...headers, 'User-Agent': agent, 'X-Forwarded-For': address },
    body: JSON.stringify({ remember: true }),
  }).catch(() => null)
  return response?.status === 204
}

test('whatever moment the process is killed at, every sign-in it acknowledged is told, and a copy has the same key', async () => {
  using receiver = startReceiver()
  const random = startRandom(7)
  const folder = temporaryFolder()
  const start = () => startExecutable({ DATA_DIRECTORY: folder, DISK_RESERVE: '0', ...withPasswords })
  let running = await start()
  // The first sign-in of an account is nothing new.
  expect(await signIn(running.origin, places.at(-1)!)).toBe(true)
  const made = await fetch(`${running.origin}/api/v1/destinations`, {
    method: 'POST',
    headers,
    body: JSON.stringify(webhookAt(`${receiver.origin}/hook`, { events: ['signedInElsewhere'] })),
  })
  expect(made.status).toBe(200)

  const acknowledged: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { process, origin } = running
    const kill = () => process.kill('SIGKILL')
    // In two rounds the receiver has a message, and the server never learns of it.
    receiver.answer('/hook', () => {
      if (round % 3 === 0) kill()
      return new Response('ok')
    })
    for (const place of places.slice(round * PER_ROUND, (round + 1) * PER_ROUND))
      if (await signIn(origin, place)) acknowledged.push(place.network)
    if (round % 3 === 1) kill()
    if (round % 3 === 2) setTimeout(kill, random.below(30))
    if (round % 3 === 0 && !process.killed) await receiver.count('/hook', 1)
    kill()
    await process.exited
    running = await start()
  }
  receiver.answer('/hook', () => new Response('ok'))
  const told = () => new Map(receiver.jsonTo('/hook').map(({ id, data }) => [data.address as string, id as string]))
  await receiver.until(() => {
    const known = told()
    return acknowledged.every(network => known.has(network))
  })
  await running.stop()

  expect(acknowledged.length).toBeGreaterThan(ROUNDS)
  const messages = receiver.jsonTo('/hook')
  const keys = new Map<string, Set<string>>()
  for (const { id, data } of messages) keys.set(data.address, (keys.get(data.address) ?? new Set()).add(id))
  expect([...keys].filter(([, of]) => of.size !== 1)).toEqual([])
  const byKey = Map.groupBy(receiver.to('/hook'), ({ headers }) => headers.get('idempotency-key'))
  expect([...byKey.values()].filter(copies => new Set(copies.map(({ text }) => text)).size !== 1)).toEqual([])
  expect(messages.length).toBeGreaterThan(byKey.size)
}, 120_000)
