import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { startFeedHost } from './feed-host'

type Key = { kid: string; privateKey: CryptoKey; jwk: object }

async function newKey(kid: string, alg = 'RS256'): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg)
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

/** Discovery, keys and tokens of an OpenID issuer, to make tokens that no real provider would give out. */
export async function startIssuer() {
  const host = startFeedHost()
  const issuer = host.origin
  let keys = [await newKey('first')]
  let isAway = false
  const away = () => new Response('busy', { status: 503 })
  host.on('/.well-known/openid-configuration', () =>
    isAway
      ? away()
      : Response.json({
          issuer,
          jwks_uri: `${issuer}/keys`,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: 'https://tokens.example/token',
        }),
  )
  host.on('/keys', () => (isAway ? away() : Response.json({ keys: keys.map(key => key.jwk) })))

  return {
    issuer,
    host,
    /** The configuration with which a server trusts it. */
    env: { OIDC_AUTH: 'true', OIDC_AUTHORITY: issuer, OIDC_CLIENT_ID: 'castellan' },
    /** A token as the issuer signs it, with some claims otherwise. */
    async token(claims: JWTPayload = {}, { key = keys.at(-1)!, at = Date.now() } = {}) {
      const seconds = Math.floor(at / 1000)
      return new SignJWT({ iss: issuer, aud: 'castellan', sub: 'mara-1', iat: seconds, exp: seconds + 300, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: key.kid })
        .sign(key.privateKey)
    },
    async rotate() {
      keys = [await newKey(`key-${keys.length}-${Math.random()}`)]
    },
    newKey,
    goAway: (away: boolean) => {
      isAway = away
    },
    [Symbol.dispose]: () => host.stop(),
  }
}
