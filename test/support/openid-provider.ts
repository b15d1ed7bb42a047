import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider, type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider'

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>

type Options = {
  /** The address to which browsers return. */
  redirectUri: string
  /** True to give browsers a refresh token; without one they renew in a frame. */
  refreshTokens?: boolean
  /** False for a provider on whose pages nobody signs out. */
  signsOut?: boolean
  /** Seconds that tokens are good for. */
  ttl?: number
  /** Claims by the name that people sign in with; `preferred_username` is that name unless they say otherwise. */
  people?: Record<string, Record<string, unknown>>
  /** True to put claims into the ID token, as providers did before the standard's rule (OpenID Connect Core 5.4). */
  fullIdTokens?: boolean
  /** Makes the client a confidential one, with a secret shown in one way alone. */
  secret?: { value: string; method: 'client_secret_basic' | 'client_secret_post' }
  /** More settings of the client. */
  client?: Record<string, unknown>
}

async function newKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: crypto.randomUUID() }
}

/** The memory of a provider, which outlives its keys. */
function createAdapter(kept: Map<string, AdapterPayload>) {
  return (model: string): Adapter => {
    const find = async (id: string) => kept.get(`${model}:${id}`)
    const findBy = async (field: string, value: string) =>
      [...kept].find(([key, payload]) => key.startsWith(`${model}:`) && payload[field] === value)?.[1]
    return {
      find,
      findByUid: uid => findBy('uid', uid),
      findByUserCode: code => findBy('userCode', code),
      async upsert(id, payload) {
        kept.set(`${model}:${id}`, payload)
      },
      async consume(id) {
        const payload = await find(id)
        if (payload) payload.consumed = Math.floor(Date.now() / 1000)
      },
      async destroy(id) {
        kept.delete(`${model}:${id}`)
      },
      async revokeByGrantId(grantId) {
        for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key)
      },
    }
  }
}

/** A real OpenID provider on a loopback port. Its sign-in page takes any name, and may be left by "Refuse". */
export async function startOpenIdProvider(options: Options) {
  const { redirectUri, refreshTokens = true, signsOut = true, ttl = 120 } = options
  const { people = {}, fullIdTokens = false, secret } = options
  let secretMethod = secret?.method
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address!.port : ''}`
  const requests: string[] = []
  const kept = new Map<string, AdapterPayload>()
  let isAway = false
  let userInfo: (() => Response | Promise<Response>) | null = null
  let keys = [await newKey()]
  let provider = create()
  let callback = provider.callback()

  function recreate() {
    provider = create()
    callback = provider.callback()
  }

  function create() {
    const configuration: Configuration = {
      adapter: createAdapter(kept),
      clients: [
        {
          client_id: 'castellan',
          token_endpoint_auth_method: secretMethod ?? 'none',
          ...(secret && { client_secret: secret.value }),
          ...options.client,
          redirect_uris: [redirectUri],
          ...(signsOut && { post_logout_redirect_uris: [redirectUri] }),
          grant_types: refreshTokens ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
        },
      ],
      ...(secretMethod && { clientAuthMethods: [secretMethod] }),
      clientBasedCORS: () => true,
      claims: { openid: ['sub'], profile: ['preferred_username', 'name'], email: ['email'], groups: ['groups'] },
      conformIdTokenClaims: !fullIdTokens,
      cookies: { keys: ['a key for tests'] },
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        revocation: { enabled: true },
        rpInitiatedLogout: {
          enabled: signsOut,
          logoutSource: (context, form) => {
            context.body = `<!doctype html>${form}<button form="op.logoutForm" name="logout" value="yes">Leave</button>`
          },
        },
      },
      findAccount: (_, id) => ({
        accountId: id,
        claims: () => ({ preferred_username: id.replace('sub-', ''), ...people[id.replace('sub-', '')], sub: id }),
      }),
      interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
      issueRefreshToken: async () => refreshTokens,
      jwks: { keys },
      rotateRefreshToken: true,
      ttl: {
        AccessToken: ttl,
        IdToken: ttl,
        AuthorizationCode: 60,
        Grant: 3600,
        Interaction: 600,
        RefreshToken: 3600,
        Session: 3600,
      },
    }
    return new Provider(origin, configuration)
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`)
    if (isAway) {
      request.socket.destroy()
      return
    }
    // This library accepts the header for a client of either way; other providers don't.
    if (secretMethod === 'client_secret_post' && request.headers.authorization?.startsWith('Basic ')) {
      response.writeHead(401, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ error: 'invalid_client' }))
      return
    }
    if (userInfo && request.url?.startsWith('/me')) {
      const answer = await userInfo()
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(await answer.text())
      return
    }
    if (!request.url?.startsWith('/interaction/')) {
      callback(request, response)
      return
    }
    const url = new URL(request.url, origin)
    if (url.searchParams.has('refuse')) {
      await provider.interactionFinished(request, response, {
        error: 'access_denied',
        error_description: 'You said no',
      })
      return
    }
    const { prompt, params } = await provider.interactionDetails(request, response)
    const login = url.searchParams.get('login')
    if (prompt.name === 'login' && login === null) {
      response.setHeader('Content-Type', 'text/html')
      response.end(
        `<!doctype html><title>Provider</title><form><label>Name <input name=login></label><button>Continue</button></form>
         <a href="?refuse">Refuse</a>`,
      )
      return
    }
    if (login !== null) {
      await provider.interactionFinished(request, response, { login: { accountId: `sub-${login}` } })
      return
    }
    const details = await provider.interactionDetails(request, response)
    const grant = new provider.Grant({ accountId: details.session!.accountId, clientId: String(params['client_id']) })
    grant.addOIDCScope(String(params['scope']))
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }

  return {
    origin,
    requests,
    env: {
      OIDC_AUTH: 'true',
      OIDC_AUTHORITY: origin,
      OIDC_CLIENT_ID: 'castellan',
      OIDC_REDIRECT_URI: redirectUri,
      OIDC_SCOPE: 'openid profile email groups',
      ...(secret && { OIDC_CLIENT_SECRET: secret.value }),
    },
    people,
    /** New keys; the old ones are gone. */
    async rotateKeys() {
      keys = [await newKey()]
      recreate()
    },
    /** Registers the client for another way to show its secret; the provider knows no other. */
    changeSecretMethod(method: 'client_secret_basic' | 'client_secret_post') {
      secretMethod = method
      recreate()
    },
    /** Answers at the userinfo endpoint in place of the provider; null = it answers again. */
    answerUserInfo: (answer: (() => Response | Promise<Response>) | null) => {
      userInfo = answer
    },
    goAway: (away: boolean) => {
      isAway = away
    },
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
