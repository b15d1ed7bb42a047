import { isUsername } from '../../shared/username'
import { readAddress, readFlag, readList, readText, report, type Reader } from './reader'

export type OidcSettings = {
  authority: string
  clientId: string
  /** Null = a public client. */
  clientSecret: string | null
  /** The URL of the interface that the provider returns to; null = the one that the browser used. */
  redirectUri: string | null
  scope: string
  /** More parameters of the address of the provider's sign-in page. */
  parameters: Readonly<Record<string, string>>
  /** The URL of the provider's keys; null = found by discovery. */
  jwksUri: string | null
  /** The claim, and the value in it, that make somebody an admin. */
  adminClaim: Readonly<{ name: string; value: string }> | null
  /** Addresses of apps to which the codes of their sign-in are passed on. */
  appRedirects: readonly string[]
}

/** The request header with the user name, and whether an unknown name gets an account. */
export type ProxySettings = { header: string; autoSignUp: boolean }

/** The variables that turn a way to sign in on, or say that there is none. */
export const signInSwitches = ['BASIC_AUTH', 'OIDC_AUTH', 'REVERSE_PROXY', 'ALLOW_OPEN'] as const

/** Longer passwords are refused: hashing them would cost the server too much. */
export const MAX_PASSWORD_BYTES = 256

/** The rule for every password that somebody chooses here. */
export const isStrongPassword = (password: string): boolean =>
  [...password].length >= 8 && /\p{Nd}/u.test(password) && /\p{Ll}/u.test(password) && /\p{Lu}/u.test(password)

/** Reads the ways to sign in and the account that the configuration defines. */
export function readSignIn(reader: Reader, hasLibrary: boolean) {
  const basic = readFlag(reader, 'BASIC_AUTH')
  const oidc = readFlag(reader, 'OIDC_AUTH') ? readOidc(reader) : null
  const proxy = readFlag(reader, 'REVERSE_PROXY') ? readProxy(reader) : null
  const password = readPassword(reader, basic, hasLibrary)
  refuseIdle(reader, 'OIDC_AUTH', oidcVariables)
  refuseIdle(reader, 'REVERSE_PROXY', ['REVERSE_PROXY_HEADER', 'REVERSE_PROXY_AUTO_SIGN_UP'])
  refuseIdle(reader, 'BASIC_AUTH', ['PASSWORD', 'ALLOW_WEAK_PASSWORD'])
  return {
    isOpen: !basic && !oidc && !proxy,
    username: readUsername(reader),
    byPassword: basic,
    password: (basic && password) || null,
    oidc,
    proxy,
    apiKey: readApiKey(reader),
  }
}

const oidcVariables = [
  'OIDC_AUTHORITY',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_REDIRECT_URI',
  'OIDC_SCOPE',
  'OIDC_PARAMETERS',
  'OIDC_JWKS',
  'OIDC_ADMIN_CLAIM',
  'OIDC_APP_REDIRECTS',
]

/** Reports variables that have no effect without a switch, unless that is explicitly off. */
function refuseIdle(reader: Reader, needed: string, names: readonly string[]) {
  if (readText(reader, needed) !== '') return
  for (const name of names)
    if (readText(reader, name) !== '') reader.mistakes.push(`${name} does nothing alone, expected ${needed}=true too`)
}

function readUsername(reader: Reader): string | null {
  const username = readText(reader, 'USERNAME') || null
  if (username !== null && !isUsername(username))
    report(reader, 'USERNAME', username, '1 to 64 characters without : and /, and not "me"')
  return username
}

/** Reads the password of the built-in admin; one that `castellan setup` chose is in the library. */
function readPassword(reader: Reader, isNeeded: boolean, hasLibrary: boolean): string {
  const { values, mistakes } = reader
  const mayBeWeak = readFlag(reader, 'ALLOW_WEAK_PASSWORD')
  // Not trimmed: a password may begin or end with a space.
  const password = values['PASSWORD'] ?? ''
  if (isNeeded && password === '' && !hasLibrary)
    mistakes.push('BASIC_AUTH is on, so PASSWORD (or PASSWORD_FILE) must be set')
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES)
    mistakes.push(`PASSWORD is longer than ${MAX_PASSWORD_BYTES} bytes: choose a shorter one`)
  if (isNeeded && password !== '' && !mayBeWeak && !isStrongPassword(password))
    mistakes.push(
      'PASSWORD is easy to guess, expected at least 8 characters with a number, a lower-case and an upper-case letter, ' +
        'or ALLOW_WEAK_PASSWORD=true',
    )
  return password
}

function readApiKey(reader: Reader): string | null {
  const key = readText(reader, 'API_KEY').toLowerCase()
  // The value is not repeated: it may be a secret.
  if (key !== '' && !/^[0-9a-f]{32}$/.test(key))
    reader.mistakes.push('API_KEY is not a key: expected 32 hex digits, as `openssl rand -hex 16` prints them')
  return key || null
}

function readProxy(reader: Reader): ProxySettings {
  const header = readText(reader, 'REVERSE_PROXY_HEADER', 'X-Forwarded-User')
  if (!/^[\w-]+$/.test(header)) report(reader, 'REVERSE_PROXY_HEADER', header, 'the name of a header')
  return { header, autoSignUp: readFlag(reader, 'REVERSE_PROXY_AUTO_SIGN_UP') }
}

function readOidc(reader: Reader): OidcSettings {
  const example = 'https://login.example'
  for (const name of ['OIDC_AUTHORITY', 'OIDC_CLIENT_ID'])
    if (readText(reader, name) === '') reader.mistakes.push(`OIDC_AUTH is on, so ${name} must be set`)
  return {
    authority: (readAddress(reader, 'OIDC_AUTHORITY', example) ?? '').replace(/(?<!\/)\/+$/, ''),
    clientId: readText(reader, 'OIDC_CLIENT_ID'),
    clientSecret: readText(reader, 'OIDC_CLIENT_SECRET') || null,
    redirectUri: readAddress(reader, 'OIDC_REDIRECT_URI', example),
    scope: readScope(reader),
    parameters: readParameters(reader),
    jwksUri: readAddress(reader, 'OIDC_JWKS', example),
    adminClaim: readAdminClaim(reader),
    appRedirects: readAppRedirects(reader),
  }
}

/** Scopes with the claims that name somebody. */
export const DEFAULT_SCOPE = 'openid profile email'

function readScope(reader: Reader): string {
  const scope = readText(reader, 'OIDC_SCOPE', DEFAULT_SCOPE)
  if (!scope.split(/\s+/).includes('openid'))
    report(reader, 'OIDC_SCOPE', scope, `openid among its words, as in "${DEFAULT_SCOPE} groups"`)
  return scope
}

/** Parameters that make a sign-in what it is. */
const ownParameters =
  /^(?:client_id|redirect_uri|response_type|response_mode|scope|state|nonce|code_challenge\w*|request\w*)$/

function readParameters(reader: Reader): OidcSettings['parameters'] {
  const text = readText(reader, 'OIDC_PARAMETERS')
  const parameters = Object.fromEntries(new URLSearchParams(text))
  if (Object.entries(parameters).some(([name, value]) => value === '' || ownParameters.test(name)))
    report(reader, 'OIDC_PARAMETERS', text, 'more parameters, such as access_type=offline&prompt=consent')
  return parameters
}

/** The addresses of apps that are known to sign in so, as their sources name them. */
export const knownAppRedirects = ['audiobookshelf://oauth', 'shelfplayer://callback', 'lissen://oauth']

/** Reads more addresses of apps. A web address is refused, since a code sent there would leave the device. */
function readAppRedirects(reader: Reader): string[] {
  const added = readList(reader, 'OIDC_APP_REDIRECTS')
  for (const address of added)
    if (!/^(?!https?:|javascript:|data:|file:)[a-z][a-z0-9+.-]*:\/\/[\w./-]*$/.test(address))
      report(reader, 'OIDC_APP_REDIRECTS', address, 'addresses of apps, such as plappa://oauth')
  return [...knownAppRedirects, ...added]
}

/** Reads a claim and its value from `claim:value`. */
function readAdminClaim(reader: Reader): OidcSettings['adminClaim'] {
  const claim = readText(reader, 'OIDC_ADMIN_CLAIM')
  // Some providers use URLs as names of claims: https://pod.example/groups:admins.
  const [, name, value] = /^(https?:\/\/[^:]+|[^:]+):(.+)$/.exec(claim) ?? []
  if (name && value) return { name, value }
  if (claim !== '') report(reader, 'OIDC_ADMIN_CLAIM', claim, 'a claim and a value, such as groups:admins')
  return null
}
