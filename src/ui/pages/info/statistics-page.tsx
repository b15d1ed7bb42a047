import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Stats } from '../../../shared/api/info'
import { useAdministrationApi } from '../../use-administration'
import { BarChart } from '../../components/bar-chart'
import { FilterChip } from '../../components/filter-chip'
import { Empty, Failed, Skeleton } from '../../components/states'
import { formatDay, formatSpan, weekdayName } from '../../format'
import { routes } from '../../routes'
import { InfoHeader } from './info-header'
import './info-page.css'

const DAY_MS = 86_400_000
const spans = [7, 30, 365, null] as const

/** What one has heard: by podcast, by weekday, by day. */
export function StatisticsPage() {
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const [span, setSpan] = useState<(typeof spans)[number]>(30)
  const [stats, setStats] = useState<Stats | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const from = span === null ? {} : { from: new Date(Date.now() - span * DAY_MS).toISOString().slice(0, 10) }
    setError(null)
    api.info
      .stats({ ...from, topLimit: 10, tz: Intl.DateTimeFormat().resolvedOptions().timeZone })
      .then(setStats, setError)
  }, [api, span, turn])

  return (
    <>
      <InfoHeader current={routes.statistics} />
      <div className="podcasts-tags" role="group" aria-label={t('time-span')}>
        {spans.map(days => (
          <FilterChip
            key={days}
            label={days === null ? t('all-time') : t('last-days', { count: days })}
            isOn={span === days}
            onToggle={() => setSpan(days)}
          />
        ))}
      </div>
      {error !== null && <Failed error={error} onRetry={() => setTurn(turn + 1)} />}
      {!stats && error === null && <Skeleton kind="row" count={4} />}
      {stats?.totalListenedSeconds === 0 && <Empty>{t('nothing-heard')}</Empty>}
      {stats && stats.totalListenedSeconds > 0 && (
        <div className="statistics">
          <dl className="statistics-figures">
            <div>
              <dt>{t('listened')}</dt>
              <dd>{formatSpan(stats.totalListenedSeconds)}</dd>
            </div>
            <div>
              <dt>{t('podcasts')}</dt>
              <dd>{stats.listenedPodcasts}</dd>
            </div>
            <div>
              <dt>{t('episodes')}</dt>
              <dd>{stats.listenedEpisodes}</dd>
            </div>
          </dl>
          <section>
            <h2>{t('by-podcast')}</h2>
            <BarChart
              title={t('by-podcast')}
              bars={stats.topPodcasts.map(({ podcastName, listenedSeconds }) => ({
                label: podcastName,
                value: listenedSeconds,
                text: formatSpan(listenedSeconds),
              }))}
            />
          </section>
          <section>
            <h2>{t('by-weekday')}</h2>
            <BarChart
              title={t('by-weekday')}
              bars={stats.activeWeekdays.map(({ dayIndex, listenedSeconds }) => ({
                label: weekdayName(dayIndex),
                value: listenedSeconds,
                text: formatSpan(listenedSeconds),
              }))}
            />
          </section>
          <section>
            <h2>{t('by-day')}</h2>
            <BarChart
              title={t('by-day')}
              bars={stats.days.slice(-31).map(({ date, listenedSeconds }) => ({
                label: formatDay(`${date}T12:00:00`),
                value: listenedSeconds,
                text: formatSpan(listenedSeconds),
              }))}
            />
          </section>
        </div>
      )}
    </>
  )
}
