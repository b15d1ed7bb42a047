import type { AuditKind } from '../../../src/shared/audit-kinds'
import { MINUTE } from '../../../src/server/platform/clock'
import { addPasskey, by, elsewhere, newKey, renewApp, signInApp, someone, someoneWithCodes, type Case } from './case'
import { secret, tokenOf, visitor } from './world'

/** Sign-ins and keys. */
export const signInCases = {
  'signed-in': [
    {
      what: 'a password on the page',
      async cause(world, from) {
        const one = await someone(world)
        await one.signedInAt(from)
        return by(one, { via: 'password', detail: 'Firefox, Linux' })
      },
    },
    {
      what: 'a passkey',
      async cause(world, from) {
        const one = await someone(world)
        const { device } = await addPasskey(world, one, await one.signedInAt(elsewhere))
        const browser = visitor(world, from)
        const { challenge } = await browser.passkeys.request()
        await browser.passkeys.signIn({
          response: device.get({ challenge: challenge as string, origin: world.origin }),
        })
        return by(one, { via: 'passkey' })
      },
    },
    {
      what: 'a token of the OpenID provider',
      async cause(world, from) {
        const token = secret(world, await tokenOf(world, 'olga', from))
        await visitor(world, from, `Bearer ${token}`).session.start(true)
        return { by: 'user', via: 'single-sign-on', actor: { name: 'olga' } }
      },
    },
    {
      what: 'the header of a proxy',
      async cause(world, from) {
        await visitor(world, from).send('POST', '/api/v1/session', {}, { 'Remote-User': 'petra' })
        return { by: 'user', via: 'proxy', actor: { name: 'petra' } }
      },
    },
    {
      what: 'an API key',
      async cause(world, from) {
        const one = await someone(world)
        const key = newKey(world)
        await one.at(elsewhere).users.edit(one.id, { apiKey: key })
        await visitor(world, from, `Bearer ${key}`).session.start(false)
        return by(one, { via: 'key' })
      },
    },
    {
      what: 'a podcast app that syncs',
      async cause(world, from) {
        const one = await someone(world)
        await one.at(from).send('GET', `/api/2/devices/${encodeURIComponent(one.name)}.json`)
        return by(one, { via: 'password' })
      },
    },
    {
      what: 'an app of Audiobookshelf',
      async cause(world, from) {
        const one = await someone(world)
        await signInApp(world, one, from)
        return by(one, { via: 'app' })
      },
    },
  ],
  'code-wanted': [
    {
      what: 'a right password on the page, without the code',
      async cause(world, from) {
        const { one } = await someoneWithCodes(world)
        await visitor(world, from).send('POST', '/api/v1/login', { username: one.name, password: one.password })
        return by(one, { via: 'password' })
      },
    },
    {
      what: 'a right password in a header, where a code is needed',
      async cause(world, from) {
        const { one } = await someoneWithCodes(world)
        for (let count = 0; count < 3; count++) await one.at(from).send('GET', '/api/v1/tags')
        return by(one, { via: 'password', count: 1 })
      },
    },
  ],
  'key-used': [
    {
      what: 'a password in a header',
      async cause(world, from) {
        const one = await someone(world)
        await one.at(from).users.me()
        return by(one, { via: 'password' })
      },
    },
    {
      what: 'an API key',
      async cause(world, from) {
        const one = await someone(world)
        const key = newKey(world)
        await one.at(elsewhere).users.edit(one.id, { apiKey: key })
        await visitor(world, from, `Bearer ${key}`).users.me()
        return by(one, { via: 'api-key' })
      },
    },
    {
      what: 'a feed key',
      async cause(world, from) {
        const one = await someone(world)
        const { feedKey } = await (await one.signedInAt(elsewhere)).users.renewFeedKey()
        await visitor(world, from).send('GET', `/rss?apiKey=${secret(world, feedKey)}`)
        return by(one, { via: 'feed-key' })
      },
    },
    {
      what: 'the key of an assistant',
      async cause(world, from) {
        const one = await someone(world)
        const { password } = await one.at(elsewhere).appPasswords.create('Helper', 'reads')
        await visitor(world, from, `Bearer ${secret(world, password)}`).send('POST', '/mcp', {})
        return by(one, { via: 'assistant-key' })
      },
    },
  ],
  'session-ended': [
    {
      what: 'signing out',
      async cause(world, from) {
        const one = await someone(world)
        const browser = await one.signedInAt(from)
        await browser.session.end(null)
        return by(one, { detail: 'Firefox, Linux' })
      },
    },
    {
      what: 'ending another session from the list',
      async cause(world, from) {
        const one = await someone(world)
        await one.signedInAt(elsewhere)
        await (await one.signedInAt(from)).sessions.endOthers()
        return by(one, { detail: 'Firefox, Linux' })
      },
    },
    {
      what: 'an app of Audiobookshelf that signs out',
      async cause(world, from) {
        const one = await someone(world)
        const refreshToken = await signInApp(world, one, elsewhere)
        await visitor(world, from).send('POST', '/logout', undefined, { 'x-refresh-token': refreshToken })
        return by(one)
      },
    },
  ],
  'renewal-reused': [
    {
      what: 'a copied token of an app',
      inMemory: true,
      async cause(world, from) {
        const one = await someone(world)
        const refreshToken = await signInApp(world, one, elsewhere)
        await renewApp(world, refreshToken, elsewhere)
        world.memory!.advance(11 * MINUTE)
        await renewApp(world, refreshToken, from)
        return by(one)
      },
    },
  ],
  'key-made': [
    {
      what: 'an app password',
      async cause(world, from) {
        const one = await someone(world)
        secret(world, (await one.at(from).appPasswords.create('Car\nradio')).password)
        return by(one, { via: 'app-password', detail: 'Car\ufffdradio' })
      },
    },
    {
      what: 'the key of an assistant',
      async cause(world, from) {
        const one = await someone(world)
        secret(world, (await one.at(from).appPasswords.create('Helper', 'changes')).password)
        return by(one, { via: 'assistant-key', detail: 'Helper' })
      },
    },
    {
      what: 'an API key',
      async cause(world, from) {
        const one = await someone(world)
        await one.at(from).users.edit(one.id, { apiKey: newKey(world) })
        return by(one, { via: 'api-key' })
      },
    },
  ],
  'key-removed': [
    ...(['app-password', 'assistant-key'] as const).map((via): Case => ({
      what: via,
      async cause(world, from) {
        const one = await someone(world)
        const { appPasswords } = one.at(from)
        const { id, password } = await appPasswords.create('Old phone', via === 'assistant-key' ? 'reads' : undefined)
        secret(world, password)
        await appPasswords.remove(id)
        return by(one, { via, detail: 'Old phone' })
      },
    })),
    {
      what: 'an API key',
      async cause(world, from) {
        const one = await someone(world)
        await one.at(from).users.edit(one.id, { apiKey: newKey(world) })
        await one.at(from).users.removeApiKey()
        return by(one, { via: 'api-key' })
      },
    },
  ],
  'feed-key-renewed': [
    {
      what: 'a person renews it',
      async cause(world, from) {
        const one = await someone(world)
        await one.at(from).users.renewFeedKey()
        return by(one)
      },
    },
  ],
} satisfies Partial<Record<AuditKind, readonly Case[]>>
