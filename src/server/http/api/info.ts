import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { cpus, freemem, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { t } from 'elysia'
import { BuildInfo, Stats, SysInfo } from '../../../shared/api/info'
import type { Context } from '../../context'
import { overview } from '../../statistics/overview'
import { version } from '../../platform/version'
import { mediaLink } from '../core/links'
import { readEnd, readInstant } from '../core/instants'
import type { SignedInRoutes } from '../core/signed-in'

const MOST_PODCASTS = 20
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** The machine, the library, and what somebody heard. */
export function info(routes: SignedInRoutes, { store, config }: Context) {
  const usage = createCpuUsage()
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const database = join(config.dataFolder, 'castellan.db')

  routes
    .get(
      '/api/v1/sys/info',
      async ({ user }) => {
        const folders = [...new Set([config.dataFolder, config.podcastFolder])]
        const disks = await Promise.all(
          // A share may be away.
          folders.filter(existsSync).map(async name => {
            const { blocks, bavail, bsize } = await statfs(name)
            return { name, total_space: blocks * bsize, available_space: bavail * bsize }
          }),
        )
        const media = store.listened.media()
        const podcasts = store.podcasts.listFor(user)
        return {
          system: {
            mem_total: totalmem(),
            mem_available: freemem(),
            swap_total: 0,
            swap_used: 0,
            cpus: usage(),
          },
          // Two folders on one disk are one disk.
          disks: disks.filter(
            (disk, index) =>
              disks.findIndex(
                other => other.total_space === disk.total_space && other.available_space === disk.available_space,
              ) === index,
          ),
          podcast_directory: media.bytes ?? 0,
          database_size: sizeOf(database) + sizeOf(`${database}-wal`),
          uptime: Math.floor(process.uptime()),
          library: {
            podcasts: podcasts.length,
            episodes: podcasts.reduce((sum, podcast) => sum + podcast.visible_count, 0),
            files: media.files,
            byPodcast: store.listened
              .mediaByPodcast(user, MOST_PODCASTS)
              .map(({ uuid, title, bytes, files }) => ({ podcastId: uuid, name: title, bytes, files })),
          },
        }
      },
      { response: SysInfo },
    )
    .get('/api/v1/info', () => ({ version, ref: '', commit: '', ci: '', time: '', os: `${platform()} ${release()}` }), {
      response: BuildInfo,
    })
    .get(
      '/api/v1/stats/overview',
      ({ user, links, query }) => {
        const from = readInstant('from', query.from) ?? null
        const to = readEnd('to', query.to) ?? null
        const heard = overview(store, user, from, to, query.tz ?? 'UTC')
        return {
          from: query.from ?? null,
          to: query.to ?? null,
          listenedPodcasts: heard.podcasts.length,
          listenedEpisodes: heard.episodes,
          totalListenedSeconds: heard.seconds,
          topPodcasts: heard.podcasts.slice(0, query.topLimit).map(({ id, seconds, episodes }) => {
            const podcast = store.podcasts.find(id)!
            return {
              podcastId: podcast.uuid,
              podcastName: podcast.title,
              imageUrl: mediaLink(links, `covers/podcasts/${podcast.uuid}`),
              listenedSeconds: seconds,
              listenedEpisodes: episodes,
            }
          }),
          activeWeekdays: weekdays.map((weekday, index) => ({
            dayIndex: index + 1,
            weekday,
            listenedSeconds: heard.weekdays[index]!,
          })),
          days: heard.days.map(({ date, seconds }) => ({ date, listenedSeconds: seconds })),
        }
      },
      {
        query: t.Object({
          from: t.Optional(t.String()),
          to: t.Optional(t.String()),
          topLimit: t.Integer({ minimum: 1, maximum: 20, default: 5 }),
          tz: t.Optional(t.String({ maxLength: 60 })),
        }),
        response: Stats,
      },
    )
}

/** How busy each processor was since it was last asked; the first time since the machine was started. */
function createCpuUsage() {
  let before = new Map<number, { idle: number; total: number }>()
  return () => {
    const now = cpus().map(({ model, speed, times }, index) => {
      const total = Object.values(times).reduce((sum, time) => sum + time, 0)
      const last = before.get(index) ?? { idle: 0, total: 0 }
      const span = total - last.total
      const percent = span > 0 ? 100 * (1 - (times.idle - last.idle) / span) : 0
      return { index, idle: times.idle, total, percent, model, speed }
    })
    before = new Map(now.map(({ index, idle, total }) => [index, { idle, total }]))
    const global = now.reduce((sum, { percent }) => sum + percent, 0) / Math.max(1, now.length)
    return {
      global: rounded(global),
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
