import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { BuildInfo, SysInfo } from '../../../shared/api/info'
import { BarChart } from '../../components/bar-chart'
import { Loaded } from '../../components/loaded'
import { formatBytes, formatSpan } from '../../format'
import { InfoHeader } from '../../library/headers/info-header'
import { routes } from '../../routes'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'
import { FeedChecks } from './feed-checks'
import './info-page.css'

const REFRESH_MS = 5000

/** The machine and the library at a glance, refreshed every five seconds while the page is open. */
export function InfoPage() {
  const api = useAdministrationApi()
  const info = useResource(api.info.system, [])
  const build = useResource(api.info.build, [])
  const { retry } = info
  useEffect(() => {
    const timer = setInterval(() => void retry(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [retry])
  return (
    <>
      <InfoHeader current={routes.info} />
      <Loaded resource={info} rows={4}>
        {data => (
          <div className="info">
            <Facts info={data} build={build.data} />
            <MediaChart info={data} />
            <FeedChecks />
          </div>
        )}
      </Loaded>
    </>
  )
}

/** A list of names and values; one that changes against a limit has a gauge. */
function Facts({ info, build }: { info: SysInfo; build: BuildInfo | null }) {
  const { t } = useTranslation()
  const { cpus, mem_total, mem_available } = info.system
  const used = mem_total - mem_available
  return (
    <dl>
      <Fact name={t('version')}>{build ? `${build.version} (${build.os})` : '–'}</Fact>
      <Fact name={t('uptime')}>{formatSpan(info.uptime)}</Fact>
      <Fact name={t('processor')}>
        <Gauge value={cpus.global} max={100} text={`${cpus.global} %`} />
      </Fact>
      <Fact name={t('memory')}>
        <Gauge
          value={used}
          max={mem_total}
          text={t('used-of', { used: formatBytes(used), total: formatBytes(mem_total) })}
        />
      </Fact>
      {info.disks.map(({ name, total_space, available_space }) => (
        <Fact key={name} name={t('disk', { name })}>
          <Gauge
            value={total_space - available_space}
            max={total_space}
            text={t('free-of', { free: formatBytes(available_space), total: formatBytes(total_space) })}
          />
        </Fact>
      ))}
      <Fact name={t('media')}>
        {t('files-count', { count: info.library.files })}, {formatBytes(info.podcast_directory)}
      </Fact>
      <Fact name={t('database')}>{formatBytes(info.database_size)}</Fact>
      <Fact name={t('library')}>
        {t('podcasts-count', { count: info.library.podcasts })}, {t('episodes-count', { count: info.library.episodes })}
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A bar, hidden from screen readers, and its value as text. */
function Gauge({ value, max, text }: { value: number; max: number; text: string }) {
  return (
    <>
      <progress value={value} max={max} aria-hidden="true" />
      <span className="numbers">{text}</span>
    </>
  )
}

/** The size of the downloaded files of each podcast; nothing before the first download. */
function MediaChart({ info: { library } }: { info: SysInfo }) {
  const { t } = useTranslation()
  if (library.byPodcast.length === 0) return null
  return (
    <section>
      <h2>{t('media-by-podcast')}</h2>
      <BarChart
        title={t('media-by-podcast')}
        bars={library.byPodcast.map(({ name, bytes }) => ({ label: name, value: bytes, text: formatBytes(bytes) }))}
      />
    </section>
  )
}
