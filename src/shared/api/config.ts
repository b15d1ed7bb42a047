import { Type, type Static } from '@sinclair/typebox'
import { Nullable } from './parts'

export const OidcConfig = Type.Object({
  authority: Type.String(),
  clientId: Type.String(),
  redirectUri: Type.String(),
  scope: Type.String(),
  jwksUri: Nullable(Type.String()),
  refreshInterval: Type.Integer(),
})

export type OidcConfig = Static<typeof OidcConfig>

/** The settings that a browser needs before anybody has signed in. */
export const Config = Type.Object({
  basicAuth: Type.Boolean(),
  oidcConfigured: Type.Boolean(),
  oidcConfig: Nullable(OidcConfig),
  reverseProxy: Type.Boolean(),
  serverUrl: Type.String(),
  wsUrl: Type.String(),
  rssFeed: Type.String(),
  podindexConfigured: Type.Boolean(),
  /** Whether podcast apps may sync. */
  podcastSync: Type.Boolean(),
  /** Whether apps may sign in to browse and play. */
  appSignIn: Type.Boolean(),
  /** Whether people may show clips to strangers. */
  publicClips: Type.Boolean(),
  mopidyIntegrationEnabled: Type.Boolean(),
  transcriptionEnabled: Type.Boolean(),
})
export type Config = Static<typeof Config>
