import { Elysia } from 'elysia'
import { Config } from '../../shared/api/config'
import { Settings, SettingsEdit } from '../../shared/api/settings'
import { User } from '../../shared/api/user'
import type { Context } from '../context'
import { identity } from './identity'
import { instant } from './present'

export const system = (app: Context) =>
  new Elysia()
    .use(identity(app))
    .get(
      '/sys/config',
      ({ base }) => ({
        basicAuth: false,
        oidcConfigured: false,
        oidcConfig: null,
        reverseProxy: false,
        serverUrl: base,
        wsUrl: `${base.replace(/^http/, 'ws')}ws`,
        rssFeed: `${base}rss`,
        podindexConfigured: false,
        mopidyIntegrationEnabled: false,
        transcriptionEnabled: false,
      }),
      { response: Config },
    )
    .get(
      '/users/me',
      ({ user }) => ({
        id: user.uuid,
        username: user.username,
        role: user.role,
        explicitConsent: user.explicitConsent,
        createdAt: instant(user.createdAt),
        apiKey: null,
        apiKeySet: false,
        feedKey: null,
        readOnly: true,
        country: null,
        language: null,
      }),
      { response: User },
    )
    .get('/settings', () => app.store.settings.current(), { response: Settings })
    .put('/settings', ({ body }) => app.store.settings.edit(body), { body: SettingsEdit, response: Settings })
