import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { cpus, freemem, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { BuildInfo, Config as PublicConfig, SysInfo, UpdateNotice } from '../../../shared/api/system'
import type { Config } from '../../config'
import type { Context } from '../../context'
import { MINUTE } from '../../platform/clock'
import { build, version } from '../../platform/version'
import type { UserRow } from '../../store/users'
import { writeInstant } from '../core/instants'
import type { OpenRoutes } from '../core/open-routes'
import { peerOf, serverUrlOf } from '../core/links'
import type { SignedInRoutes } from '../core/signed-in'

/** Below this many bytes not even the database can be written. */
const MIN_FREE_BYTES = 20_000_000

/** Free bytes on the disk of a folder; null if the folder cannot be reached. */
export const freeBytes = (folder: string): Promise<number | null> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  )

/** Reports whether the process runs, and whether it can work. */
export function health(routes: OpenRoutes, { store, config, integrity, room }: Context) {
  routes
    .get(
      '/healthz',
      () => new Response('ok', { headers: { 'Cache-Control': 'no-store', 'Content-Type': 'text/plain' } }),
    )
    .get('/readyz', async () => {
      const free = await freeBytes(config.dataFolder)
      const checks = {
        database: isReadable(store) && integrity.damage() === null,
        disk: free !== null && free > MIN_FREE_BYTES && !room.isFull(),
      }
      const ready = checks.database && checks.disk
      return Response.json(ready ? { ready } : { ready, checks }, {
        status: ready ? 200 : 503,
        headers: { 'Cache-Control': 'no-store' },
      })
    })
}

function isReadable(store: Context['store']): boolean {
  try {
    store.dataVersion()
    return true
  } catch {
    return false
  }
}

/** Serves the settings that a browser needs before sign-in, without authentication. */
export function publicSystem(routes: OpenRoutes, { config }: Context) {
  routes.get(
    '/api/v1/sys/config',
    ({ request, server }) => {
      const base = serverUrlOf(request, peerOf(request, server), config)
      const { oidc } = config
      return {
        basicAuth: config.byPassword,
        oidcConfigured: oidc !== null,
        oidcConfig: oidc && {
          authority: oidc.authority,
          clientId: oidc.clientId,
          redirectUri: oidc.redirectUri ?? `${base}ui/`,
          scope: oidc.scope,
          jwksUri: oidc.jwksUri,
          refreshInterval: MINUTE,
          parameters: oidc.parameters,
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
    { response: PublicConfig },
  )
}

const MAX_PODCASTS = 20
const buildInfo: BuildInfo = {
  version,
  ref: '',
  commit: build?.commit ?? '',
  ci: '',
  time: build?.date ?? '',
  os: `${platform()} ${release()}`,
}

/** The machine, its disks, and the size of the library. */
export function info(routes: SignedInRoutes, app: Context) {
  const measureCpus = createCpuMeter()
  routes
    .get(
      '/api/v1/sys/info',
      async ({ user }) => ({
        system: {
          mem_total: totalmem(),
          mem_available: freemem(),
          swap_total: 0,
          swap_used: 0,
          cpus: measureCpus(),
        },
        // Only admins learn where the server keeps its files.
        disks: (await disksOf(app.config)).map(disk => (user.role === 'admin' ? disk : { ...disk, name: '' })),
        podcast_directory: app.store.listened.media().bytes ?? 0,
        database_size: databaseSize(app.config),
        uptime: Math.floor(process.uptime()),
        library: librarySize(app, user),
      }),
      { response: SysInfo },
    )
    .get('/api/v1/info', () => buildInfo, { response: BuildInfo })
    .get('/api/v1/sys/update', () => presentUpdate(app), { role: 'admin', response: UpdateNotice })
}

function presentUpdate({ updates }: Context): UpdateNotice {
  const found = updates.latest()
  return {
    isOn: updates.isOn,
    checkedAt: found && writeInstant(found.checkedAt),
    newer: found?.newer ?? null,
    failure: found?.failure ?? null,
  }
}

/** The disks of the two folders; one entry if both are on the same disk. A network share may be missing. */
async function disksOf({ dataFolder, podcastFolder }: Config) {
  const folders = [...new Set([dataFolder, podcastFolder])].filter(existsSync)
  const disks = await Promise.all(
    folders.map(async name => {
      const { blocks, bavail, bsize } = await statfs(name)
      return { name, total_space: blocks * bsize, available_space: bavail * bsize }
    }),
  )
  const firstLike = (disk: (typeof disks)[number]) =>
    disks.findIndex(other => other.total_space === disk.total_space && other.available_space === disk.available_space)
  return disks.filter((disk, index) => firstLike(disk) === index)
}

function databaseSize({ dataFolder }: Config): number {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const database = join(dataFolder, 'castellan.db')
  return sizeOf(database) + sizeOf(`${database}-wal`)
}

function librarySize({ store }: Context, user: UserRow): SysInfo['library'] {
  const podcasts = store.podcasts.listFor(user)
  return {
    podcasts: podcasts.length,
    episodes: podcasts.reduce((sum, podcast) => sum + podcast.visible_count, 0),
    files: store.listened.media().files,
    byPodcast: store.listened
      .mediaByPodcast(user, MAX_PODCASTS)
      .map(({ uuid, title, bytes, files }) => ({ podcastId: uuid, name: title, bytes, files })),
  }
}

/** Measures how busy each processor was since the last call; at the first call, since the machine started. */
function createCpuMeter() {
  let before = new Map<number, { idle: number; total: number }>()
  return (): SysInfo['system']['cpus'] => {
    const now = cpus().map(({ model, speed, times }, index) => {
      const total = Object.values(times).reduce((sum, time) => sum + time, 0)
      const last = before.get(index) ?? { idle: 0, total: 0 }
      const span = total - last.total
      const percent = span > 0 ? 100 * (1 - (times.idle - last.idle) / span) : 0
      return { index, idle: times.idle, total, percent, model, speed }
    })
    before = new Map(now.map(({ index, idle, total }) => [index, { idle, total }]))
    return {
      global: rounded(now.reduce((sum, { percent }) => sum + percent, 0) / Math.max(1, now.length)),
      cpus: now.map(({ index, percent, model, speed }) => ({
        name: `cpu${index}`,
        vendor_id: '',
        usage: { percent: rounded(percent) },
        brand: model,
        frequency: speed,
      })),
    }
  }
}

const rounded = (percent: number) => Math.round(Math.min(100, Math.max(0, percent)) * 10) / 10
