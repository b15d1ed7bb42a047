import { readdirSync } from 'node:fs'
import { downloadStates, transcriptionStates } from '../../../shared/choices'
import type { Context } from '../../context'
import { MINUTE, SECOND } from '../../platform/clock'
import { version } from '../../platform/version'
import { inspectReplica } from '../../upkeep/replica'
import type { SignedInRoutes } from '../core/signed-in'
import { freeBytes } from './system'

const OVERDUE_MS = 15 * MINUTE

/** A metric with a value per set of labels; null values are left out. */
type Metric = { name: string; help: string; values: readonly (readonly [labels: string, value: number | null])[] }

const one = (name: string, help: string, value: number | null): Metric => ({ name, help, values: [['', value]] })

/** Metrics in the text format of Prometheus, for admins. */
export function metrics(routes: SignedInRoutes, app: Context) {
  routes.get(
    '/metrics',
    async () => {
      const all = [
        ...libraryMetrics(app),
        ...(await storageMetrics(app)),
        ...(await replicaMetrics(app)),
        ...transcriptionMetrics(app),
        eventMetrics(app),
        refusalMetrics(app),
        activityMetrics(app),
        requestMetrics(app),
        ...processMetrics(app.now()),
      ]
      return new Response(all.map(write).join('') + writeLatency(app), {
        headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' },
      })
    },
    { role: 'admin' },
  )
}

function libraryMetrics({ store, files, now }: Context): Metric[] {
  const figures = store.figures.all(now() - OVERDUE_MS)
  const downloads = new Map(store.figures.downloads().map(({ state, total }) => [state, total]))
  return [
    { name: 'castellan_info', help: 'The running version', values: [[`{version="${version}"}`, 1]] },
    one('castellan_podcasts', 'Podcasts in the library', figures.podcasts),
    one('castellan_podcasts_failing', 'Podcasts whose last check failed', figures.podcasts_failing),
    one('castellan_podcasts_overdue', 'Podcasts whose check is more than 15 minutes late', figures.podcasts_overdue),
    one('castellan_episodes', 'Episodes in the library', figures.episodes),
    one('castellan_episodes_unindexed', 'Episodes that are not in the search index yet', figures.unindexed),
    one('castellan_media_files', 'Downloaded files', figures.media_files),
    one('castellan_media_bytes', 'Size of the downloaded files', figures.media_bytes),
    one('castellan_media_folder_present', 'Whether the media folder is mounted', Number(files.folder.isPresent())),
    ...(files.bucket
      ? [
          one(
            'castellan_media_bucket_present',
            'Whether the bucket of media files answers',
            Number(files.bucket.isPresent()),
          ),
        ]
      : []),
    one('castellan_users', 'Accounts', figures.users),
    one('castellan_devices', 'Podcast apps that sync', figures.devices),
    {
      name: 'castellan_downloads',
      help: 'Downloads by state',
      values: downloadStates.map(state => [`{state="${state}"}`, downloads.get(state) ?? 0] as const),
    },
  ]
}

async function storageMetrics({ store, config, backups }: Context): Promise<Metric[]> {
  const [last] = await backups.list()
  return [
    {
      name: 'castellan_disk_free_bytes',
      help: 'Free space on the disks of the data and media folders',
      values: [
        ['{folder="data"}', await freeBytes(config.dataFolder)],
        ['{folder="media"}', await freeBytes(config.podcastFolder)],
      ],
    },
    one('castellan_database_bytes', 'Size of the database', store.bytes()),
    one('castellan_last_backup_timestamp_seconds', 'Time of the last backup', last ? last.at / SECOND : 0),
  ]
}

/** Nothing where no replica is configured. */
async function replicaMetrics({ config, now }: Context): Promise<Metric[]> {
  if (config.replicaUrl === null) return []
  const { version, completeUntil } = await inspectReplica(config.dataFolder)
  const age = completeUntil === null ? Infinity : Math.max(0, now() - completeUntil) / SECOND
  return [
    one('castellan_replica_running', 'Whether Litestream answers and replicates', Number(version !== null)),
    one('castellan_replica_age_seconds', 'Seconds since the replica was known to have everything', age),
  ]
}

/** Nothing where no speech server is configured. */
function transcriptionMetrics({ transcriptions, store }: Context): Metric[] {
  if (!transcriptions.isOn) return []
  const totals = new Map(store.figures.transcriptions().map(({ state, total }) => [state, total]))
  const values = transcriptionStates.map(state => [`{state="${state}"}`, totals.get(state) ?? 0] as const)
  return [{ name: 'castellan_transcriptions', help: 'Transcriptions by state', values }]
}

function eventMetrics({ eventCounts }: Context): Metric {
  const values = [...eventCounts].sort().map(([type, count]) => [`{type="${type}"}`, count] as const)
  return { name: 'castellan_events_total', help: 'Events since the start of the process, by type', values }
}

function refusalMetrics({ refusals }: Context): Metric {
  const help = 'Refused sign-ins since the start of the process, by way and reason'
  return { name: 'castellan_sign_ins_refused_total', help, values: [...refusals.counts].sort() }
}

function activityMetrics({ audit }: Context): Metric {
  const help = 'Recorded acts of people and the server since the start of the process, by kind'
  return { name: 'castellan_activity_total', help, values: [...audit.counts].sort() }
}

function requestMetrics({ requestCounts }: Context): Metric {
  const help = 'Requests since the start of the process, by method, part of the server and class of the status'
  return { name: 'castellan_http_requests_total', help, values: [...requestCounts.requests].sort() }
}

function writeLatency({ requestCounts }: Context): string {
  const name = 'castellan_http_request_duration_seconds'
  const { buckets, sum, count } = requestCounts.histogram()
  return [
    `# HELP ${name} Time to the first byte of an answer`,
    `# TYPE ${name} histogram`,
    ...buckets.map(([bound, total]) => `${name}_bucket{le="${bound}"} ${total}`),
    `${name}_sum ${sum}`,
    `${name}_count ${count}`,
    '',
  ].join('\n')
}

function processMetrics(now: number): Metric[] {
  const { user, system } = process.cpuUsage()
  return [
    one('process_resident_memory_bytes', 'Resident memory', process.memoryUsage.rss()),
    one('process_cpu_seconds_total', 'Processor time', (user + system) / 1e6),
    one('process_open_fds', 'Open file descriptors', openFiles()),
    one('process_start_time_seconds', 'Time at which the process started', Math.round(now / SECOND - process.uptime())),
  ]
}

function write({ name, help, values }: Metric): string {
  const lines = values.flatMap(([labels, value]) =>
    value === null ? [] : [`${name}${labels} ${value === Infinity ? '+Inf' : value}\n`],
  )
  const kind = name.endsWith('_total') ? 'counter' : 'gauge'
  return lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.join('')}`
}

/** The number of open file descriptors; null on systems that do not say. */
function openFiles(): number | null {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return null
  }
}
