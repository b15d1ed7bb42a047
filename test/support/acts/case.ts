import { codeOf } from '../authenticator'
import { passkeyDevice } from '../passkey-device'
import { admin, newPerson, secret, visitor, type Person, type Visitor, type World } from './world'

/** An act, through the door that people use. */
export type Case = {
  what: string
  /** Acts, from an address that no other case has; returns what the row says beside its kind and that address. */
  cause: (world: World, from: string) => Promise<Record<string, unknown>>
  /** Needs the server in memory: a clock that moves, a job, or another process on its folder. */
  inMemory?: true
  /** A command acts, which prints what it did. */
  isCommand?: true
}

/** The row of an act that concerns only the account that acts. */
export const by = ({ id, name }: Pick<Person, 'id' | 'name'>, more: Record<string, unknown> = {}) => ({
  by: 'user',
  actor: { id, name },
  about: null,
  ...more,
})

/** The row of an act of the admin. */
export const byAdmin = (more: Record<string, unknown>) => ({ by: 'user', actor: { name: admin.username }, ...more })

/** Where people are when it does not matter. */
export const elsewhere = '198.51.100.2'

let people = 0
export const someone = (world: World) => newPerson(world, `Person ${++people}`)

export const newKey = (world: World) => secret(world, crypto.randomUUID().replaceAll('-', ''))

export async function addPasskey(world: World, { password }: Person, browser: Visitor) {
  const device = passkeyDevice()
  const { challenge } = await browser.passkeys.registration({ password })
  const ceremony = { challenge: challenge as string, origin: world.origin }
  return { device, passkey: await browser.passkeys.add({ name: 'Laptop', response: device.create(ceremony) }) }
}

/** Turns the second factor on; returns the recovery codes. */
export async function turnOnSecondFactor(world: World, { password }: Person, browser: Visitor) {
  const drawn = await browser.secondFactor.begin({ password })
  secret(world, drawn.secret)
  const { recoveryCodes } = await browser.secondFactor.confirm(codeOf(drawn.secret, world.now()))
  for (const code of recoveryCodes) secret(world, code)
  return recoveryCodes
}

/** Somebody with a second factor. */
export async function someoneWithCodes(world: World) {
  const one = await someone(world)
  const browser = await one.signedInAt(elsewhere)
  return { one, browser, codes: await turnOnSecondFactor(world, one, browser) }
}

/** Signs in an app of Audiobookshelf; returns the token that renews its sign-in. */
export async function signInApp(world: World, { name, password }: Person, from: string): Promise<string> {
  const body = { username: name, password }
  const response = await visitor(world, from).send('POST', '/login', body, { 'x-return-tokens': 'true' })
  const { user } = (await response.json()) as { user: { accessToken: string; refreshToken: string } }
  secret(world, user.accessToken)
  return secret(world, user.refreshToken)
}
export const renewApp = (world: World, token: string, from: string) =>
  visitor(world, from).send('POST', '/auth/refresh', undefined, { 'x-refresh-token': token })
