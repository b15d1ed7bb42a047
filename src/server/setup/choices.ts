import type { SetupChoices } from '../../shared/api/setup'
import type { Environment } from '../config'

export const noChoices: SetupChoices = {
  way: 'password',
  username: '',
  password: '',
  authority: '',
  clientId: '',
  adminClaim: '',
  header: '',
  address: '',
  prefix: '',
  trustedProxy: '',
  mediaFolder: '',
  host: '',
  port: '',
}

const ofWays: Record<SetupChoices['way'], (choices: SetupChoices) => Environment> = {
  password: () => ({ BASIC_AUTH: 'true' }),
  oidc: ({ authority, clientId, adminClaim }) => ({
    OIDC_AUTH: 'true',
    OIDC_AUTHORITY: authority,
    OIDC_CLIENT_ID: clientId,
    OIDC_ADMIN_CLAIM: adminClaim,
  }),
  proxy: ({ header, username }) => ({
    REVERSE_PROXY: 'true',
    REVERSE_PROXY_HEADER: header,
    REVERSE_PROXY_AUTO_SIGN_UP: 'true',
    ADMINS: username,
  }),
  open: () => ({ ALLOW_OPEN: 'true' }),
  given: () => ({}),
}

/** Writes choices as variables. The password is left out: the library stores its hash. */
export function settingsOf(choices: SetupChoices): Record<string, string> {
  const settings: Environment = {
    ...ofWays[choices.way](choices),
    HOST: choices.host,
    PORT: choices.port,
    SERVER_URL: choices.address,
    SUB_DIRECTORY: choices.prefix,
    TRUSTED_PROXIES: choices.trustedProxy && `127.0.0.0/8,::1/128,${choices.trustedProxy}`,
    PODCAST_DIRECTORY: choices.mediaFolder,
  }
  return Object.fromEntries(Object.entries(settings).flatMap(([name, value]) => (value ? [[name, value.trim()]] : [])))
}
