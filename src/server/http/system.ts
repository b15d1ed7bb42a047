import { Config } from '../../shared/api/config'
import { Settings, SettingsEdit } from '../../shared/api/settings'
import { MINUTE } from '../clock'
import type { Context } from '../context'
import type { OpenRoutes } from './open-routes'
import { peerOf, serverUrlOf } from './server-url'
import type { SignedInRoutes } from './signed-in'

/** What everybody may know. */
export function publicSystem(routes: OpenRoutes, { config }: Context) {
  routes
    .get(
      '/healthz',
      () => new Response('ok', { headers: { 'Cache-Control': 'no-store', 'Content-Type': 'text/plain' } }),
    )
    .get(
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
          podindexConfigured: false,
          mopidyIntegrationEnabled: false,
          transcriptionEnabled: false,
        }
      },
      { response: Config },
    )
}

export function system(routes: SignedInRoutes, { store }: Context) {
  routes
    .get('/api/v1/settings', () => store.settings.current(), { response: Settings })
    .put('/api/v1/settings', ({ body }) => store.settings.edit(body), {
      role: 'admin',
      body: SettingsEdit,
      response: Settings,
    })
}
