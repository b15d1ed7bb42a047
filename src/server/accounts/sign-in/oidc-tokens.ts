import type { JWTPayload } from 'jose'
import type { OidcSettings } from '../../config'
import { readBody } from '../../outbound/body'
import type { Outbound } from '../../outbound/request'
import type { Log } from '../../platform/log'
import { type createOidcProvider, limits, outgoingTo } from './oidc-provider'
import type { Publish } from '../../platform/events'
import { SECOND } from '../../platform/clock'
import type { Store } from '../../store'
import type { UserRow } from '../../store/users'
import { reportEnded } from '../own-sessions'
import { notSignedIn } from './credentials'

type Needs = {
  provider: ReturnType<typeof createOidcProvider>
  settings: OidcSettings
  outbound: Outbound
  log: Log
}

/** The provider's answer to a form: tokens and what it says about them. */
export type Tokens = Record<string, unknown>

/** A refusal of the provider, by its OAuth error code. */
export class OpenIdRefusal extends Error {
  override name = 'OpenIdRefusal'
  constructor(
    readonly code: string,
    readonly description: string,
  ) {
    super(description || code)
  }
}

type AuthMethod = 'basic' | 'post'

/** The provider's answer to a form sent in one way; `refusal`: null = it accepted the form. */
type Sending = { method: AuthMethod; refusal: OpenIdRefusal | null; tokens: Tokens }

/** A form. `origin`: that of the page which sends it; some providers give tokens of a page to its origin alone. */
type Sent = Record<string, string> & { origin?: string }

/** Calls the provider for its client: exchanges codes and refresh tokens, revokes tokens, and reads claims. */
export function createOidcTokens(needs: Needs) {
  const { provider, settings, outbound } = needs
  /** The way to show the secret that the provider has accepted; null = none yet. */
  let accepted: AuthMethod | null = null

  /** Sends a form. Throws `OpenIdRefusal`, and `upstream-timeout` when the provider does not answer. */
  async function post(address: string, form: Sent): Promise<Tokens> {
    const known = accepted ? [accepted] : methodsFor(settings, (await provider.endpoints()).authMethods)
    let answer = (await sendBy(needs, known, address, form))!
    if (answer.refusal?.code === 'invalid_client') {
      // The client may be registered for another way since.
      const fresh = methodsFor(settings, (await provider.freshEndpoints()).authMethods)
      const others = fresh.filter(method => !known.includes(method))
      answer = (await sendBy(needs, others, address, form)) ?? answer
    }
    const { method, refusal, tokens } = answer
    const isUnknown = refusal?.code === 'invalid_client'
    accepted = isUnknown ? null : method
    if (isUnknown)
      needs.log.warn('The OpenID provider refuses this client: check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET', {
        authority: settings.authority,
      })
    if (!refusal) return tokens
    needs.log.debug('OpenID code refused', { code: refusal.code })
    throw refusal
  }

  return {
    /** The tokens that a code or a refresh token gets. */
    exchange: async (form: Sent): Promise<Tokens> => post((await provider.endpoints()).token, form),
    /** Revokes a token, where the provider can. */
    async revoke(form: Sent): Promise<void> {
      const { revocation } = await provider.endpoints()
      if (revocation) await post(revocation, form)
    },
    /**
     * The claims of the userinfo endpoint; null if there is none, or it gives none for this token. Throws if it can't be
     * reached.
     */
    async userInfo(accessToken: string): Promise<JWTPayload | null> {
      const { userInfo } = await provider.endpoints()
      if (userInfo === null) return null
      const { headers, ...outgoing } = outgoingTo(settings, userInfo)
      const { response } = await outbound.get(userInfo, {
        ...outgoing,
        headers: { ...headers, Accept: 'application/json, application/jwt' },
        privateHeaders: { Authorization: `Bearer ${accessToken}` },
      })
      const isSigned = /^application\/jwt\b/i.test(response.headers.get('content-type') ?? '')
      const { status, text } = await readText(response, userInfo)
      if (status !== 200) return null
      // A signed answer counts only with a signature of the provider (OpenID Connect Core 5.3.2).
      return isSigned ? provider.verifySigned(text.trim(), ['sub']) : (Object(JSON.parse(text)) as JWTPayload)
    },
  }
}
export type OidcTokens = ReturnType<typeof createOidcTokens>

async function send({ settings, outbound }: Needs, address: string, { origin, ...form }: Sent, method: AuthMethod) {
  const { headers, ...outgoing } = outgoingTo(settings, address)
  const { authorization, fields } = credentialsOf(settings, method)
  const { response } = await outbound.post(address, new URLSearchParams({ ...form, ...fields }).toString(), {
    ...outgoing,
    headers: {
      ...headers,
      ...authorization,
      ...(origin && { Origin: origin }),
      'Content-Type': 'application/x-www-form-urlencoded',
    },
  })
  return readAnswer(response, address)
}

/** Sends a form in each way until the provider knows its client; the last answer, null if there is no way. */
async function sendBy(
  needs: Needs,
  methods: readonly AuthMethod[],
  address: string,
  form: Sent,
): Promise<Sending | null> {
  let last: Sending | null = null
  for (const method of methods) {
    const answer = await send(needs, address, form, method).catch((error: unknown) => {
      throw needs.provider.unavailable('OpenID token endpoint failed', error)
    })
    last = { method, refusal: refusalIn(answer), tokens: answer.json }
    // A client may be registered for one way alone, and providers list all that they know.
    if (last.refusal?.code !== 'invalid_client') return last
  }
  return last
}

/** Adds claims that the token lacks; the token's own stay, since they are signed. */
export const mergeClaims = (payload: JWTPayload, more: JWTPayload): JWTPayload => ({ ...more, ...payload })

type Answer = { status: number; text: string; json: Tokens }

async function readText(response: Response, address: string) {
  if (response.status >= 500) {
    await response.body?.cancel()
    throw new Error(`status ${response.status}`)
  }
  const bytes = await readBody(response, { ...limits, host: new URL(address).hostname })
  return { status: response.status, text: Buffer.from(bytes).toString('utf8') }
}

async function readAnswer(response: Response, address: string): Promise<Answer> {
  const { status, text } = await readText(response, address)
  const isJson = /json/i.test(response.headers.get('content-type') ?? '')
  // A revocation has no body.
  const json = status === 200 && text === '' ? {} : isJson ? (Object(JSON.parse(text)) as Tokens) : {}
  return { status, text, json }
}

/** A redirect counts as a refusal: what is sent is meant only for this address. */
function refusalIn({ status, json }: Answer): OpenIdRefusal | null {
  if (status >= 200 && status < 300) return null
  const code = typeof json['error'] === 'string' ? json['error'] : status === 401 ? 'invalid_client' : 'invalid_request'
  const description = typeof json['error_description'] === 'string' ? json['error_description'] : ''
  return new OpenIdRefusal(code.slice(0, 100), description.slice(0, 500))
}

function methodsFor({ clientSecret }: OidcSettings, supported: readonly unknown[]): readonly AuthMethod[] {
  if (clientSecret === null) return ['post']
  const known = (['basic', 'post'] as const).filter(method => supported.includes(`client_secret_${method}`))
  // By the standard a provider that lists none takes the header.
  return known.length > 0 ? known : ['basic', 'post']
}

type Shown = { authorization: Record<string, string>; fields: Record<string, string> }

/** The client's id and secret (RFC 6749, 2.3.1); a public client shows its id alone. */
function credentialsOf({ clientId, clientSecret }: OidcSettings, method: AuthMethod): Shown {
  if (clientSecret === null) return { authorization: {}, fields: { client_id: clientId } }
  if (method === 'post') return { authorization: {}, fields: { client_id: clientId, client_secret: clientSecret } }
  const pair = [clientId, clientSecret].map(formEncoded).join(':')
  return { authorization: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, fields: {} }
}

const formEncoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)

type EndNeeds = { store: Store; publish: Publish; provider: ReturnType<typeof createOidcProvider> }

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/**
 * Ends a sign-in that the provider says has ended (OpenID Connect Back-Channel Logout 1.0): that of one browser or app if
 * the token names a session, all of the person otherwise. Throws `not-signed-in` for an invalid token, and for one that was
 * used before.
 */
export async function endByProvider({ store, publish, provider }: EndNeeds, token: string) {
  const payload = await provider.verifySigned(token, ['iat', 'jti', 'events'])
  const { iss, sub, iat, jti, events, nonce } = payload
  if (!Object.hasOwn(Object(events) as object, EVENT) || nonce !== undefined) throw notSignedIn()
  const session = sessionOf(payload)
  if (session === null && sub === undefined) throw notSignedIn()
  const user = sub === undefined ? null : store.users.findBySubject(iss!, sub)
  const key = session ?? keyOf(iss!, 'sub', sub!)
  const used = keyOf(iss!, 'jti', jti!)
  const { sessions, apps, ofUser } = store.inTransaction(() => {
    if (store.sessions.signInEndedAt(used) !== null) throw notSignedIn()
    for (const ended of [used, key]) store.sessions.endSignIn(ended, iat! * SECOND)
    return {
      sessions: store.sessions.removeOfProvider(key),
      apps: store.appSessions.removeOfProvider(key),
      ofUser: user && removeOf(store, user, session === null),
    }
  })
  for (const one of sessions) reportEnded(publish, one.user_id, { sessions: [one] })
  for (const one of apps) reportEnded(publish, one.user_id, { apps: [one] })
  if (user && ofUser) reportEnded(publish, user.id, ofUser)
}

/** Browsers that are still signed in begin another session: the cookie is for media and live events only. */
const removeOf = (store: Store, { id }: UserRow, withApps: boolean) => ({
  sessions: store.sessions.removeOfWay(id, 'single-sign-on'),
  ...(withApps && { apps: store.appSessions.removeOf(id) }),
})

/** Whether the provider has ended the sign-in that a token belongs to. */
export function hasEnded({ sessions }: Store, { iss, sub, sid, iat }: JWTPayload): boolean {
  const session = sessionOf({ iss, sid })
  if (session !== null && sessions.signInEndedAt(session) !== null) return true
  const endedAt = sessions.signInEndedAt(keyOf(iss!, 'sub', sub!))
  return endedAt !== null && (iat ?? 0) * SECOND <= endedAt
}

/** The sign-in of one browser or app that a token belongs to, as sessions name it; null if the provider names none. */
export const sessionOf = ({ iss, sid }: JWTPayload) => (typeof sid === 'string' ? keyOf(iss!, 'sid', sid) : null)

const keyOf = (issuer: string, kind: 'sid' | 'sub' | 'jti', value: string) => `${kind} ${issuer} ${value}`
