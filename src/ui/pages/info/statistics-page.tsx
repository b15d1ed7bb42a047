import { Headphones } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Stats } from '../../../shared/api/system'
import { BarChart, type Bar } from '../../components/table'
import { FilterChip, FilterGroup } from '../../components/filter-chip'
import { Empty, Failed, Skeleton } from '../../components/states'
import { formatDay, formatSpan, weekdayName, formatCount } from '../../format'
import { InfoHeader } from '../../library/headers'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'
import '../../components/tables.css'
import './info.css'

const DAY_MS = 86_400_000
const MAX_PODCASTS = 10
const MAX_DAYS = 31

/** Days back from today; null = from the start. */
const spans = [7, 30, 365, null] as const
type Span = (typeof spans)[number]

/** The time that the user has listened: by podcast, by weekday, by day. */
export function StatisticsPage() {
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const [span, setSpan] = useState<Span>(30)
  const { data, error, retry } = useResource((_, days: Span) => api.info.stats(queryOf(days)), [span])
  return (
    <>
      <InfoHeader title={t('statistics')} />
      <FilterGroup label={t('time-span')}>
        {spans.map(days => (
          <FilterChip
            key={days}
            label={days === null ? t('all-time') : t('last-days', { count: days })}
            isOn={span === days}
            onToggle={() => setSpan(days)}
          />
        ))}
      </FilterGroup>
      {error !== null && <Failed error={error} onRetry={() => void retry()} />}
      {!data && error === null && <Skeleton kind="row" count={4} />}
      {data?.totalListenedSeconds === 0 && <Empty icon={Headphones}>{t('nothing-heard')}</Empty>}
      {data && data.totalListenedSeconds > 0 && (
        <div className="statistics list-width above-16">
          <Figures stats={data} />
          <Charts stats={data} />
        </div>
      )}
    </>
  )
}

const queryOf = (span: Span) => ({
  ...(span !== null && { from: new Date(Date.now() - span * DAY_MS).toISOString().slice(0, 10) }),
  topLimit: MAX_PODCASTS,
  tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
})

function Figures({ stats }: { stats: Stats }) {
  const { t } = useTranslation()
  return (
    <dl className="figures stack gap-12">
      <div className="card">
        <dt className="muted regular">{t('listened')}</dt>
        <dd className="numbers">{formatSpan(stats.totalListenedSeconds)}</dd>
      </div>
      <div className="card">
        <dt className="muted regular">{t('episodes')}</dt>
        <dd className="numbers">{formatCount(stats.listenedEpisodes)}</dd>
      </div>
      <div className="card">
        <dt className="muted regular">{t('podcasts')}</dt>
        <dd className="numbers">{formatCount(stats.listenedPodcasts)}</dd>
      </div>
    </dl>
  )
}

function Charts({ stats }: { stats: Stats }) {
  const { t } = useTranslation()
  const barOf = (label: string, seconds: number): Bar => ({ label, value: seconds, text: formatSpan(seconds) })
  const charts = [
    {
      title: t('by-podcast'),
      bars: stats.topPodcasts.map(({ podcastName, listenedSeconds }) => barOf(podcastName, listenedSeconds)),
    },
    {
      title: t('by-weekday'),
      bars: stats.activeWeekdays.map(({ dayIndex, listenedSeconds }) => barOf(weekdayName(dayIndex), listenedSeconds)),
    },
    {
      title: t('by-day'),
      bars: stats.days
        .slice(-MAX_DAYS)
        .map(({ date, listenedSeconds }) => barOf(formatDay(`${date}T12:00:00`), listenedSeconds)),
    },
  ]
  return charts.map(({ title, bars }) => (
    <section className="card padded" key={title}>
      <h2>{title}</h2>
      <BarChart title={title} bars={bars} />
    </section>
  ))
}
