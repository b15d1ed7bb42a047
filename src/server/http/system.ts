import { Config } from '../../shared/api/config'
import { t } from 'elysia'
import { CleanedUp, Cleanup, Settings, SettingsEdit } from '../../shared/api/settings'
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
          podindexConfigured: config.podindex !== null,
          mopidyIntegrationEnabled: false,
          transcriptionEnabled: false,
        }
      },
      { response: Config },
    )
}

const MOST_NAMED = 200

export function system(routes: SignedInRoutes, { store, retention }: Context) {
  routes
    .get('/api/v1/settings', () => store.settings.current(), { response: Settings })
    .put('/api/v1/settings', ({ body }) => store.settings.edit(body), {
      role: 'admin',
      body: SettingsEdit,
      response: Settings,
    })
    .get(
      '/api/v1/settings/cleanup',
      () => {
        const due = retention.due()
        return {
          total: due.length,
          freedBytes: due.reduce((sum, row) => sum + row.file_size, 0),
          episodes: due.slice(0, MOST_NAMED).map(row => ({
            id: row.uuid,
            episode_id: row.eid,
            name: row.title,
            podcastName: row.podcast_title,
            size: row.file_size,
            reason: row.reason,
          })),
        }
      },
      { role: 'admin', response: Cleanup },
    )
    .put('/api/v1/settings/runcleanup', () => retention.sweep(), {
      role: 'admin',
      body: t.Any(),
      response: CleanedUp,
    })
}
