import type { Context } from '../../../context'
import { done, type OpenCall } from './protocol'

/**
 * The ways to sign in that this server has, by the names of the protocol. A name and an app password are always one.
 */
export const authMethodsOf = ({ config }: Context) => (config.oidc ? ['local', 'openid'] : ['local'])

/** The status that an app asks for before it signs in. */
export function statusCalls(app: Context): OpenCall[] {
  return [
    [
      'GET /status',
      () => ({
        app: 'audiobookshelf',
        serverVersion: SERVER_VERSION,
        isInit: true,
        language: LANGUAGE,
        authMethods: authMethodsOf(app),
        authFormData: {
          authLoginCustomMessage: '',
          ...(app.config.oidc && { authOpenIDButtonText: SINGLE_SIGN_ON, authOpenIDAutoLaunch: false }),
        },
      }),
    ],
    ['GET /ping', () => ({ success: true })],
    ['GET /healthcheck', done],
  ]
}

/**
 * The version whose API this is. Apps compare it number by number and choose their calls by it, so it is not ours; it
 * is raised after a check.
 */
export const SERVER_VERSION = '2.36.0'

const LANGUAGE = 'en-us'
const SINGLE_SIGN_ON = 'Single sign-on'

/** The settings that a client must find, of these types; most of them concern what this server does not have. */
export const serverSettings = (authMethods: readonly string[]) => ({
  id: 'server-settings',
  scannerFindCovers: false,
  scannerCoverProvider: 'google',
  scannerParseSubtitle: false,
  scannerPreferMatchedMetadata: false,
  scannerDisableWatcher: true,
  storeCoverWithItem: false,
  storeMetadataWithItem: false,
  metadataFileFormat: 'json',
  rateLimitLoginRequests: 10,
  rateLimitLoginWindow: 600_000,
  allowIframe: false,
  backupPath: '/metadata/backups',
  backupSchedule: '0 1 * * *',
  backupsToKeep: 2,
  maxBackupSize: 1,
  loggerDailyLogsToKeep: 7,
  loggerScannerLogsToKeep: 2,
  homeBookshelfView: 1,
  bookshelfView: 1,
  podcastEpisodeSchedule: '0 * * * *',
  sortingIgnorePrefix: false,
  sortingPrefixes: ['the', 'a'],
  chromecastEnabled: true,
  dateFormat: 'MM/dd/yyyy',
  timeFormat: 'HH:mm',
  language: LANGUAGE,
  allowedOrigins: [],
  logLevel: 2,
  version: SERVER_VERSION,
  buildNumber: 1,
  timeZone: 'UTC',
  authLoginCustomMessage: null,
  authActiveAuthMethods: authMethods,
  // Apps sign in through this server and need no address of its provider.
  authOpenIDIssuerURL: null,
  authOpenIDAuthorizationURL: null,
  authOpenIDTokenURL: null,
  authOpenIDUserInfoURL: null,
  authOpenIDJwksURL: null,
  authOpenIDLogoutURL: null,
  authOpenIDTokenSigningAlgorithm: 'RS256',
  authOpenIDButtonText: SINGLE_SIGN_ON,
  authOpenIDAutoLaunch: false,
  authOpenIDAutoRegister: false,
  authOpenIDMatchExistingBy: null,
})
