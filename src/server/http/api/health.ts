import { statfs } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { MINUTE, SECOND } from '../../platform/clock'
import type { Context } from '../../context'
import { version } from '../../platform/version'
import type { OpenRoutes } from '../core/open-routes'
import type { SignedInRoutes } from '../core/signed-in'

/** Below that not even the database can go on. */
const LEAST_FREE = 20_000_000
const OVERDUE_MS = 15 * MINUTE
const states = ['queued', 'running', 'waiting', 'paused', 'failed', 'done'] as const

const freeBytes = (folder: string): Promise<number | null> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  )

/** For whatever watches over the server: whether it lives, and whether it can work. */
export function health(routes: OpenRoutes, { store, config, integrity }: Context) {
  const asText = { 'Cache-Control': 'no-store', 'Content-Type': 'text/plain' }
  routes
    .get('/healthz', () => new Response('ok', { headers: asText }))
    .get('/readyz', async () => {
      const free = await freeBytes(config.dataFolder)
      const checks = {
        database: canBeRead(store) && integrity.damage() === null,
        disk: free !== null && free > LEAST_FREE,
      }
      const ready = checks.database && checks.disk
      return Response.json(ready ? { ready } : { ready, checks }, {
        status: ready ? 200 : 503,
        headers: { 'Cache-Control': 'no-store' },
      })
    })
}

function canBeRead(store: Context['store']): boolean {
  try {
    store.dataVersion()
    return true
  } catch {
    return false
  }
}

type Metric = { name: string; help: string; values: readonly (readonly [labels: string, value: number | null])[] }

/** Figures in the text format of Prometheus, for admins. */
export function metrics(routes: SignedInRoutes, { store, config, files, backups, now }: Context) {
  routes.get(
    '/metrics',
    async () => {
      const figures = store.figures.all(now() - OVERDUE_MS)
      const downloads = new Map(store.figures.downloads().map(({ state, total }) => [state, total]))
      const [last] = await backups.list()
      const one = (name: string, help: string, value: number | null): Metric => ({ name, help, values: [['', value]] })
      const all: Metric[] = [
        { name: 'castellan_info', help: 'The version that runs', values: [[`{version="${version}"}`, 1]] },
        one('castellan_podcasts', 'Podcasts in the library', figures.podcasts),
        one('castellan_podcasts_failing', 'Podcasts whose last check failed', figures.podcasts_failing),
        one('castellan_podcasts_overdue', 'Podcasts not checked when they should have been', figures.podcasts_overdue),
        one('castellan_episodes', 'Episodes in the library', figures.episodes),
        one('castellan_episodes_unindexed', 'Episodes that the search does not find yet', figures.unindexed),
        one('castellan_media_files', 'Downloaded files', figures.media_files),
        one('castellan_media_bytes', 'Their size', figures.media_bytes),
        one('castellan_media_folder_present', 'Whether the media folder is mounted', Number(files.isPresent())),
        one('castellan_users', 'Accounts', figures.users),
        one('castellan_devices', 'Podcast apps that sync', figures.devices),
        {
          name: 'castellan_downloads',
          help: 'Downloads by state',
          values: states.map(state => [`{state="${state}"}`, downloads.get(state) ?? 0] as const),
        },
        {
          name: 'castellan_disk_free_bytes',
          help: 'Room on the disks of the two folders',
          values: [
            ['{folder="data"}', await freeBytes(config.dataFolder)],
            ['{folder="media"}', await freeBytes(config.podcastFolder)],
          ],
        },
        one('castellan_database_bytes', 'Size of the database', store.bytes()),
        one('castellan_last_backup_timestamp_seconds', 'When the last backup was made', last ? last.at / SECOND : 0),
        one('process_resident_memory_bytes', 'Resident memory', process.memoryUsage.rss()),
        one('process_cpu_seconds_total', 'Processor time', cpuSeconds()),
        one('process_open_fds', 'Open file descriptors', openFiles()),
        one('process_start_time_seconds', 'When the process started', Math.round(now() / SECOND - process.uptime())),
      ]
      return new Response(all.map(write).join(''), {
        headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' },
      })
    },
    { role: 'admin' },
  )
}

/** What is not known is left out. */
const write = ({ name, help, values }: Metric) => {
  const lines = values.flatMap(([labels, value]) => (value === null ? [] : [`${name}${labels} ${value}\n`]))
  const kind = name.endsWith('_total') ? 'counter' : 'gauge'
  return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.join('')}`
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Null where the system does not tell. */
function openFiles(): number | null {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return null
  }
}
