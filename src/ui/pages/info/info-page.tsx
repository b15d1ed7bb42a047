import { useSignals } from '@preact/signals-react/runtime'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { BuildInfo, SysInfo } from '../../../shared/api/info'
import { useAdministrationApi } from '../../use-administration'
import { useApp } from '../../app-context'
import { BarChart } from '../../components/bar-chart'
import { Failed, Skeleton } from '../../components/states'
import { formatBytes, formatRelative, formatSpan } from '../../format'
import { routes } from '../../routes'
import { InfoHeader } from './info-header'
import './info-page.css'

const AGAIN_MS = 5000

/** The machine and the library at a glance. */
export function InfoPage() {
  useSignals()
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const [info, setInfo] = useState<SysInfo | null>(null)
  const [build, setBuild] = useState<BuildInfo | null>(null)
  const [error, setError] = useState<unknown>(null)
  const load = useCallback(() => {
    api.info.system().then(
      found => {
        setInfo(found)
        setError(null)
      },
      failure => setError(failure),
    )
  }, [api])
  useEffect(() => {
    load()
    api.info.build().then(setBuild, () => undefined)
    const timer = setInterval(load, AGAIN_MS)
    return () => clearInterval(timer)
  }, [api, load])

  return (
    <>
      <InfoHeader current={routes.info} />
      {error !== null && !info && <Failed error={error} onRetry={load} />}
      {!info && error === null && <Skeleton kind="row" count={4} />}
      {info && (
        <div className="info">
          <dl>
            <Fact name={t('version')}>{build ? `${build.version} (${build.os})` : '–'}</Fact>
            <Fact name={t('uptime')}>{formatSpan(info.uptime)}</Fact>
            <Fact name={t('processor')}>
              <Gauge value={info.system.cpus.global} max={100} text={`${info.system.cpus.global} %`} />
            </Fact>
            <Fact name={t('memory')}>
              <Gauge
                value={info.system.mem_total - info.system.mem_available}
                max={info.system.mem_total}
                text={t('used-of', {
                  used: formatBytes(info.system.mem_total - info.system.mem_available),
                  total: formatBytes(info.system.mem_total),
                })}
              />
            </Fact>
            {info.disks.map(disk => (
              <Fact key={disk.name} name={t('disk', { name: disk.name })}>
                <Gauge
                  value={disk.total_space - disk.available_space}
                  max={disk.total_space}
                  text={t('free-of', {
                    free: formatBytes(disk.available_space),
                    total: formatBytes(disk.total_space),
                  })}
                />
              </Fact>
            ))}
            <Fact name={t('media')}>
              {t('files-count', { count: info.library.files })}, {formatBytes(info.podcast_directory)}
            </Fact>
            <Fact name={t('database')}>{formatBytes(info.database_size)}</Fact>
            <Fact name={t('library')}>
              {t('podcasts-count', { count: info.library.podcasts })},{' '}
              {t('episodes-count', { count: info.library.episodes })}
            </Fact>
          </dl>
          {info.library.byPodcast.length > 0 && (
            <section>
              <h2>{t('media-by-podcast')}</h2>
              <BarChart
                title={t('media-by-podcast')}
                bars={info.library.byPodcast.map(({ name, bytes }) => ({
                  label: name,
                  value: bytes,
                  text: formatBytes(bytes),
                }))}
              />
            </section>
          )}
          <Checks />
        </div>
      )}
    </>
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

function Gauge({ value, max, text }: { value: number; max: number; text: string }) {
  return (
    <>
      <progress value={value} max={max} aria-hidden="true" />
      <span className="numbers">{text}</span>
    </>
  )
}

/** Which feeds were checked last, and which could not be. */
function Checks() {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  const podcasts = library.all.value
  const failing = podcasts.filter(({ last_error }) => last_error !== null)
  const latest = podcasts
    .filter(({ last_checked_at }) => last_checked_at !== null)
    .toSorted((one, other) => other.last_checked_at!.localeCompare(one.last_checked_at!))
    .slice(0, 8)
  return (
    <>
      {failing.length > 0 && (
        <section>
          <h2>{t('failing-feeds')}</h2>
          <ul className="info-feeds">
            {failing.map(podcast => (
              <li key={podcast.id}>
                <Link href={routes.episodes(podcast.id)}>{podcast.name}</Link>
                <span className="muted">
                  {t(`feed-error.${podcast.last_error!.errorCode}`, { defaultValue: podcast.last_error!.message })}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {latest.length > 0 && (
        <section>
          <h2>{t('last-checks')}</h2>
          <ul className="info-feeds">
            {latest.map(podcast => (
              <li key={podcast.id}>
                <Link href={routes.episodes(podcast.id)}>{podcast.name}</Link>
                <span className="muted">{formatRelative(podcast.last_checked_at!)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
