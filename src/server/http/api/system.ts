import { Config } from '../../../shared/api/config'
import type { Context } from '../../context'
import { MINUTE } from '../../platform/clock'
import type { OpenRoutes } from '../core/open-routes'
import { peerOf, serverUrlOf } from '../core/server-url'

/** Serves the settings that a browser needs before sign-in, without authentication. */
export function publicSystem(routes: OpenRoutes, { config }: Context) {
  routes.get(
    '/api/v1/sys/config',
    ({ request, server }) => {
      const base = serverUrlOf(request, peerOf(request, server), config)
      const { oidc } = config
      return {
        basicAuth: config.password !== null,
        oidcConfigured: oidc !== null,
        oidcConfig: oidc && {
          authority: oidc.authority,
          clientId: oidc.clientId,
          redirectUri: oidc.redirectUri ?? `${base}ui/`,
          scope: oidc.scope,
          jwksUri: oidc.jwksUri,
          refreshInterval: MINUTE,
        },
        reverseProxy: config.proxy !== null,
        serverUrl: base,
        wsUrl: `${base.replace(/^http/, 'ws')}ws`,
        rssFeed: `${base}rss`,
        podindexConfigured: config.podindex !== null,
        podcastSync: config.sync,
        appSignIn: config.audiobookshelf,
        transcriptionEnabled: config.transcription !== null,
        publicClips: config.publicClips,
        // Expected by existing clients; Castellan does not have it.
        mopidyIntegrationEnabled: false,
      }
    },
    { response: Config },
  )
}
