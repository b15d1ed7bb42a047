import {
  CleanedUp,
  Cleanup,
  NamingEdit,
  Settings,
  SettingsEdit,
  type SettingsValues,
} from '../../../shared/api/settings'
import type { Context } from '../../context'
import { requireFormats } from '../../library/formats'
import type { SignedInRoutes } from '../core/signed-in'

const MAX_LISTED = 200

/** Settings of unsupported features, which clients of PodFetch expect. */
export const unsupported = { useOneCoverForAllEpisodes: false, nfoFormat: 'off', coverFilename: 'image' }

/** The settings of the library, and the cleanup that follows from them. */
export function settings(routes: SignedInRoutes, { store, config, retention, downloads, publish }: Context) {
  const present = (values: SettingsValues): Settings => ({
    ...values,
    maxParallelDownloads: values.parallelDownloads ?? config.parallelDownloads,
    ...unsupported,
    autoTranscodeOpus: false,
    sponsorblockEnabled: false,
  })
  const edit = (change: SettingsEdit) => {
    requireFormats(change)
    const before = store.settings.current()
    const values = store.settings.edit(change)
    const changes = (Object.keys(values) as (keyof SettingsValues)[]).flatMap(name =>
      name === 'id' || values[name] === before[name] ? [] : [{ name, before: before[name], after: values[name] }],
    )
    if (changes.length > 0) publish({ type: 'recorded', kind: 'settings-changed', facts: { changes } })
    // There may be room for more downloads now.
    downloads.pump()
    return present(values)
  }

  routes
    .get('/api/v1/settings', () => present(store.settings.current()), { response: Settings })
    .put('/api/v1/settings', ({ body }) => edit(body), { role: 'admin', body: SettingsEdit, response: Settings })
    .put('/api/v1/settings/name', ({ body }) => edit(body), { role: 'admin', body: NamingEdit, response: Settings })
    .get('/api/v1/settings/cleanup', () => presentCleanup(retention.due()), { role: 'admin', response: Cleanup })
    .put('/api/v1/settings/runcleanup', () => retention.sweep(), {
      role: 'admin',
      response: CleanedUp,
    })
}

const presentCleanup = (due: ReturnType<Context['retention']['due']>): Cleanup => ({
  total: due.length,
  freedBytes: due.reduce((sum, row) => sum + row.file_size, 0),
  episodes: due.slice(0, MAX_LISTED).map(row => ({
    id: row.uuid,
    episode_id: row.eid,
    name: row.title,
    podcastName: row.podcast_title,
    size: row.file_size,
    reason: row.reason,
  })),
})
