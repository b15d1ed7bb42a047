/**
 * The version whose API this is. Apps compare it number by number and choose their calls by it, so it is not ours; it
 * is raised after a check.
 */
export const SERVER_VERSION = '2.36.0'

export const LANGUAGE = 'en-us'

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
  logLevel: 2,
  version: SERVER_VERSION,
  buildNumber: 1,
  timeZone: 'UTC',
  authActiveAuthMethods: authMethods,
})
