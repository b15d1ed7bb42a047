import type { Environment } from '../../src/server/config'
import type { Role } from '../../src/shared/choices'
import { basic, goodPassword, withPasswords, type TestApp } from './app'
import { startIssuer } from './issuer'

export type Mode = 'passwords' | 'below a path' | 'a proxy' | 'single sign-on'
type Headers = Record<string, string>

/** A way in: how the server is configured for it, what somebody's requests carry then, and what counts as nothing. */
export type WayIn = {
  env: Environment
  headersOf: (name: string) => Promise<Headers>
  /** The admin root in the words of the ways that are off. */
  elsewhere: Headers
  [Symbol.dispose]: () => void
}

const password = (name: string) => basic(name, name === 'root' ? 'Sup3rSecret' : goodPassword)
const nothing = { [Symbol.dispose]: () => {} }

export const waysIn: Record<Mode, () => Promise<WayIn>> = {
  passwords: async () => byPassword({}),
  'below a path': async () => byPassword({ SUB_DIRECTORY: '/pods' }),
  'a proxy': async () => ({
    env: {
      REVERSE_PROXY: 'true',
      REVERSE_PROXY_HEADER: 'Remote-User',
      REVERSE_PROXY_AUTO_SIGN_UP: 'true',
      ADMINS: 'root',
    },
    headersOf: async name => ({ 'Remote-User': name }),
    elsewhere: { Authorization: password('root'), 'X-Forwarded-User': 'root' },
    ...nothing,
  }),
  async 'single sign-on'() {
    const issuer = await startIssuer()
    return {
      env: { ...issuer.env, OIDC_ADMIN_CLAIM: 'groups:admins' },
      headersOf: async name => ({
        Authorization: `Bearer ${await issuer.token({ sub: name, preferred_username: name, groups: name === 'root' ? ['admins'] : [] })}`,
      }),
      elsewhere: { Authorization: password('root'), 'X-Forwarded-User': 'root' },
      [Symbol.dispose]: () => issuer[Symbol.dispose](),
    }
  },
}

const byPassword = (env: Environment): WayIn => ({
  env: { ...withPasswords, ...env },
  headersOf: async name => ({ Authorization: password(name) }),
  elsewhere: { Authorization: 'Bearer a.b.c', 'X-Forwarded-User': 'root' },
  ...nothing,
})

/** An account as it comes about in each mode, with a role; the headers of its requests. */
export async function arrive(app: TestApp, way: WayIn, name: string, role: Role = 'user') {
  const headers = await way.headersOf(name)
  if (app.context.config.password !== null && name !== 'root') await app.signUp(name, role)
  const { status } = await app.fetch('/api/v1/users/me', { headers })
  if (status !== 200) throw new Error(`${name} could not sign in: ${status}`)
  if (name !== 'root') app.context.users.change(app.context.users.requireUser(name), { role })
  return { headers, row: app.context.store.users.findByName(name)! }
}
