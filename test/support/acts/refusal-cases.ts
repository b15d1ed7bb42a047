import type { AuditKind } from '../../../src/shared/audit-kinds'
import { addPasskey, elsewhere, renewApp, someone, someoneWithCodes, type Case } from './case'
import { visitor, type World } from './world'

const WRONG = '0123456789abcdef0123456789abcdef'
const login = (world: World, from: string, body: Record<string, unknown>) =>
  visitor(world, from).send('POST', '/api/v1/login', body)

/** A guess at a name from an address. */
const guess = (world: World, name: string, from: string) =>
  login(world, from, { username: name, password: 'Wr0ngGuess' })

/** Guesses the password of a name from `count` addresses. */
async function besiege(world: World, name: string, count: number, network: number) {
  for (let at = 1; at <= count; at++) await guess(world, name, `192.0.${network}.${at}`)
}

type Refused = { via: string; reason: string; name?: string; about?: { id: string | null; name: string } | null }
const refused = ({ via, reason, name = '', about = null }: Refused) => ({
  by: 'stranger',
  actor: name === '' ? null : { id: null, name },
  about,
  via,
  reason,
})

/** Each way in, with each reason to refuse it. */
export const refusalCases = {
  'sign-in-refused': [
    {
      what: 'a wrong password',
      async cause(world, from) {
        const { id, name } = await someone(world)
        await guess(world, name, from)
        return refused({ via: 'password', reason: 'wrong-password', name, about: { id, name } })
      },
    },
    {
      what: 'a name of nobody that tries to forge a line',
      async cause(world, from) {
        const name = 'x" address="198.51.100.9"\n'
        await guess(world, name, from)
        return refused({ via: 'password', reason: 'unknown-name', name: name.replace('\n', '\ufffd') })
      },
    },
    {
      what: 'a wrong password in a header',
      async cause(world, from) {
        const { id, name } = await someone(world)
        const header = `Basic ${Buffer.from(`${name}:wrong`).toString('base64')}`
        await visitor(world, from, header).send('GET', '/api/v1/tags')
        return refused({ via: 'password', reason: 'wrong-password', name, about: { id, name } })
      },
    },
    {
      what: 'a wrong code after a right password',
      async cause(world, from) {
        const { one } = await someoneWithCodes(world)
        const { id, name, password } = one
        await login(world, from, { username: name, password, code: '000000' })
        return refused({ via: 'code', reason: 'wrong-code', name, about: { id, name } })
      },
    },
    {
      what: 'a passkey of another page',
      async cause(world, from) {
        const one = await someone(world)
        const { device } = await addPasskey(world, one, await one.signedInAt(elsewhere))
        const browser = visitor(world, from)
        const { challenge } = await browser.passkeys.request()
        const response = device.get({ challenge: challenge as string, origin: 'https://elsewhere.example' })
        await browser.send('POST', '/api/v1/login/passkey', { response })
        return refused({ via: 'passkey', reason: 'wrong-passkey' })
      },
    },
    ...[
      ['an API key', '/api/v1/tags', `Bearer ${WRONG}`],
      ['a key in an address', '/rss?apiKey=nonsense', null],
      ['the key of an assistant', '/mcp', `Bearer ${WRONG}`],
    ].map(([what, path, header]): Case => ({
      what: `a wrong key: ${what}`,
      async cause(world, from) {
        const method = path === '/mcp' ? 'POST' : 'GET'
        await visitor(world, from, header!).send(method, path!, method === 'POST' ? {} : undefined)
        return refused({ via: 'key', reason: 'wrong-key' })
      },
    })),
    {
      what: 'an invitation that is none',
      async cause(world, from) {
        await visitor(world, from).send('GET', `/api/v1/invites/${crypto.randomUUID()}`)
        return refused({ via: 'invite', reason: 'unknown-invitation' })
      },
    },
    {
      what: 'a token that renews no sign-in of an app',
      async cause(world, from) {
        await renewApp(world, 't'.repeat(43), from)
        return refused({ via: 'app-token', reason: 'wrong-token' })
      },
    },
    {
      what: 'a token of no provider',
      async cause(world, from) {
        await visitor(world, from, 'Bearer eyJhbGciOiJub25lIn0.e30.x').send('GET', '/api/v1/tags')
        return refused({ via: 'openid', reason: 'wrong-token' })
      },
    },
    {
      what: 'a name from the proxy that belongs to another way in',
      async cause(world, from) {
        const { id, name } = await someone(world)
        await visitor(world, from).send('GET', '/api/v1/tags', undefined, { 'Remote-User': name })
        return refused({ via: 'proxy', reason: 'not-accepted', name, about: { id, name } })
      },
    },
    {
      what: 'a lock-out',
      async cause(world, from) {
        const { id, name } = await someone(world)
        await besiege(world, name, 31, 2)
        await guess(world, name, from)
        return refused({ via: 'password', reason: 'too-many-attempts', name, about: { id, name } })
      },
    },
  ],
  'account-attacked': [
    {
      what: 'guesses from many addresses',
      async cause(world) {
        const { id, name } = await someone(world)
        await besiege(world, name, 30, 3)
        return { by: 'stranger', actor: null, about: { id, name }, via: 'password', address: '' }
      },
    },
  ],
} satisfies Partial<Record<AuditKind, readonly Case[]>>
