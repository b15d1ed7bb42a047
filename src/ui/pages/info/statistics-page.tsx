import { ChevronLeft, ChevronRight, Headphones } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Stats } from '../../../shared/api/system'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/buttons'
import { PageHeader } from '../../components/page-header'
import { SegmentedChoice } from '../../components/segments'
import { Empty, Failed, Skeleton } from '../../components/states'
import { BarChart } from '../../components/table'
import { formatMinutes, regionalLanguage } from '../../format'
import { formatDay, formatSpan } from '../../format-facts'
import { useAdministrationApi } from '../../use-administration'
import { useResource } from '../../use-resource'
import {
  Days,
  daysBegun,
  daysWithin,
  type Period,
  periodOf,
  secondsOf,
  type Span,
  spans,
  streaksOf,
  titleOf,
} from './listening-days'
import { MostTime } from './listening-podcasts'
import './listening.css'
import { Check } from '../../components/fields'
import { drawCover, loadCover, PictureButtons } from '../../components/picture-buttons'

const HOUR = 3600
const MAX_PODCASTS = 500

/** The time that the user has listened in a month, in a year or ever, and with what. */
export function StatisticsPage() {
  const api = useAdministrationApi()
  const { t } = useTranslation()
  const [{ span, back }, setPeriod] = useState<{ span: Span; back: number }>({ span: 'month', back: 0 })
  const [now] = useState(() => new Date())
  const period = periodOf(span, back, now)
  const { data, error, retry } = useResource(
    async (_, one: Span, steps: number) => {
      const loaded = periodOf(one, steps, now)
      return { period: loaded, stats: await api.info.stats(queryOf(loaded)) }
    },
    [span, back],
  )
  const ever = useResource(() => api.info.stats(queryOf(periodOf('all', 0))), [])
  const move = (steps: number) => setPeriod({ span, back: Math.max(0, back + steps) })
  usePeriodKeys(span === 'all' ? null : move)
  const failure = error ?? ever.error
  const isEmpty = ever.data?.totalListenedSeconds === 0
  return (
    <>
      <PageHeader title={t('statistics')} />
      <div className="listening-periods wrap row gap-8 spread">
        <SegmentedChoice
          label={t('time-span')}
          value={span}
          onChange={chosen => setPeriod({ span: chosen, back: 0 })}
          choices={spans.map(value => ({ value, label: t(`span.${value}`) }))}
        />
        {span !== 'all' && <Steps period={period} onMove={move} />}
      </div>
      {failure !== null && <Failed error={failure} onRetry={() => void Promise.all([retry(), ever.retry()])} />}
      {(!data || !ever.data) && failure === null && <Skeleton kind="row" count={4} />}
      {isEmpty && <Empty icon={Headphones}>{t('listening-empty')}</Empty>}
      {data && ever.data && !isEmpty && <Story {...data} ever={ever.data} now={now} />}
    </>
  )
}

const queryOf = ({ start, end }: Period) => ({
  ...(start && { from: start.toISOString() }),
  ...(end && { to: new Date(end.getTime() - 1).toISOString() }),
  topLimit: MAX_PODCASTS,
  tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
})

function Steps({ period, onMove }: { period: Period; onMove: (steps: number) => void }) {
  const { t } = useTranslation()
  return (
    <div className="row gap-4" role="group" aria-label={t('time-span')}>
      <IconButton icon={ChevronLeft} label={t('period-before')} className="flip" onClick={() => onMove(1)} />
      <strong className="listening-period middle numbers" aria-live="polite">
        {titleOf(period)}
      </strong>
      <IconButton
        icon={ChevronRight}
        label={t('period-after')}
        className="flip"
        disabled={period.back === 0}
        onClick={() => onMove(-1)}
      />
    </div>
  )
}

/** Lets the keys [ and ] change the period, unless single keys are off. Null = there are no periods. */
function usePeriodKeys(move: ((steps: number) => void) | null) {
  const { singleKeys } = useApp()
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const steps = { '[': 1, ']': -1 }[event.key]
      if (!move || steps === undefined || !singleKeys.areOn.peek() || event.ctrlKey || event.metaKey) return
      if (event.target instanceof Element && event.target.closest('input, textarea, dialog')) return
      move(steps)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  })
}

/** Names a day of the week; 1 = Monday. */
const weekdayName = (day: number) =>
  new Intl.DateTimeFormat(regionalLanguage(), { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day))

type StoryProps = { stats: Stats; ever: Stats; period: Period; now: Date }

function Story({ stats, ever, period, now }: StoryProps) {
  const { t } = useTranslation()
  const hasMuch = stats.totalListenedSeconds >= HOUR
  const weekdays = stats.activeWeekdays.map(({ dayIndex, listenedSeconds }) => ({
    label: weekdayName(dayIndex),
    value: listenedSeconds,
    text: formatSpan(listenedSeconds),
  }))
  return (
    <div className="listening stack gap-20 above-12">
      <div className="stack single gap-20">
        <Headline stats={stats} ever={ever} period={period} now={now} hasMuch={hasMuch} />
        {stats.topPodcasts.length > 0 && <MostTime stats={stats} name={titleOf(period)} />}
      </div>
      <div className="stack single gap-20">
        {period.start && <Days period={period} days={stats.days} now={now} />}
        {hasMuch && <Picture stats={stats} title={titleOf(period) || t('span.all')} />}
        <section className="card padded">
          <h2>{t('by-weekday')}</h2>
          <BarChart title={t('by-weekday')} bars={weekdays} />
        </section>
      </div>
    </div>
  )
}

function Headline({ stats, ever, period, now, hasMuch }: StoryProps & { hasMuch: boolean }) {
  const { t } = useTranslation()
  const { totalListenedSeconds: seconds, savedSeconds, trimmedSeconds, measuredSince } = stats
  const within = daysWithin(ever.days, period)
  const { current, longest } = streaksOf(period.back === 0 ? ever.days : within, now)
  return (
    <section
      className="listening-headline tinted washed stack single gap-4"
      style={{ '--cover': '#1d4e66' } as React.CSSProperties}
    >
      <h2 className="muted regular flush">{t('you-listened')}</h2>
      <p className="listening-total numbers flush">{seconds > 0 ? formatMinutes(seconds) : t('nothing')}</p>
      {hasMuch && <Comparison seconds={seconds} ever={ever} period={period} now={now} />}
      <dl className="listening-figures stack gap-16 flush above-16">
        {savedSeconds >= 60 && <Figure value={formatMinutes(savedSeconds)} label={t('saved-by-speed')} />}
        {trimmedSeconds >= 60 && <Figure value={formatMinutes(trimmedSeconds)} label={t('saved-by-trimming')} />}
        {period.back === 0 ? (
          <Figure value={t('days-count', { count: current })} label={t('in-a-row', { longest })} />
        ) : (
          <Figure value={t('days-count', { count: longest })} label={t('longest-row')} />
        )}
      </dl>
      {measuredSince && savedSeconds + trimmedSeconds > 0 && (
        <p className="muted flush above-8">
          {t('counted-since', {
            date: formatDay(`${measuredSince}T12:00:00`),
          })}
        </p>
      )}
    </section>
  )
}

function Figure({ value, label }: { value: string; label: string }) {
  return (
    <div className="stack single">
      <dd className="numbers strong flush">{value}</dd>
      <dt className="fine muted regular">{label}</dt>
    </div>
  )
}

/** Compares a period with the one before, and names the average of a day. */
function Comparison({ seconds, ever, period, now }: Omit<StoryProps, 'stats'> & { seconds: number }) {
  const { t } = useTranslation()
  const before = period.start ? secondsOf(daysWithin(ever.days, periodOf(period.span, period.back + 1, now))) : 0
  const difference = seconds - before
  const perDay = seconds / daysBegun(period, ever.days, now)
  const time = formatMinutes(Math.abs(difference))
  const comparison =
    difference >= 0 ? t(`more-than-before.${period.span}`, { time }) : t(`less-than-before.${period.span}`, { time })
  return (
    <p className="flush">
      {before > 0 && Math.abs(difference) >= 60 && `${comparison} `}
      {t('about-a-day', { time: formatMinutes(perDay) })}
    </p>
  )
}

const SIDE = 1080
const MARGIN = 84
const COVERS = 4

/** A picture of a period to save or share. The browser draws it, and the server receives nothing. */
export function Picture({ stats, title }: { stats: Stats; title: string }) {
  const { t } = useTranslation()
  const [showsPodcasts, setShowsPodcasts] = useState(true)
  const canvas = useRef<HTMLCanvasElement>(null)
  const { totalListenedSeconds, listenedEpisodes, listenedPodcasts, savedSeconds, trimmedSeconds } = stats
  const saved = savedSeconds + trimmedSeconds
  const words = {
    title,
    total: formatMinutes(totalListenedSeconds),
    counts: [t('episodes-count', { count: listenedEpisodes }), t('podcasts-count', { count: listenedPodcasts })].join(
      ' · ',
    ),
    foot: ['Castellan', saved >= 60 && t('time-saved', { time: formatMinutes(saved) })].filter(Boolean).join(' · '),
  }
  const covers = showsPodcasts ? stats.topPodcasts.slice(0, COVERS).map(({ imageUrl }) => imageUrl) : []
  const drawn = JSON.stringify([words, covers])
  useEffect(() => {
    let isOver = false
    const [texts, addresses] = JSON.parse(drawn) as [Words, string[]]
    void Promise.all(addresses.map(loadCover)).then(images => {
      if (!isOver && canvas.current) draw(canvas.current, texts, images)
    })
    return () => void (isOver = true)
  }, [drawn])
  return (
    <section className="card padded listening-picture stack gap-16" aria-labelledby="picture">
      <canvas ref={canvas} width={SIDE} height={SIDE} role="img" aria-label={Object.values(words).join('. ')} />
      <div className="stack single gap-8">
        <h2 className="flush" id="picture">
          {t('picture-to-keep')}
        </h2>
        <p className="muted flush">{t('picture-text')}</p>
        <Check isOn={showsPodcasts} onChange={setShowsPodcasts}>
          {t('picture-shows-podcasts')}
        </Check>
        <PictureButtons canvas={canvas} name={title} />
      </div>
    </section>
  )
}

type Words = { title: string; total: string; counts: string; foot: string }

function draw(
  canvas: HTMLCanvasElement,
  { title, total, counts, foot }: Words,
  covers: readonly (HTMLImageElement | null)[],
) {
  const context = canvas.getContext('2d')
  if (!context) return
  const ground = context.createRadialGradient(0, 0, 0, 0, 0, SIDE * 1.3)
  ground.addColorStop(0, '#246a80')
  ground.addColorStop(0.7, '#0f2b3b')
  context.fillStyle = ground
  context.fillRect(0, 0, SIDE, SIDE)
  const family = getComputedStyle(canvas).fontFamily
  const width = SIDE - 2 * MARGIN
  function write(text: string, at: number, size: number, weight: number) {
    context!.fillStyle = '#f4f8f9'
    context!.font = `${weight} ${size}px ${family}`
    context!.fillText(text, MARGIN, at, width)
  }
  write(title, 190, 46, 400)
  write(total, 330, 140, 700)
  write(counts, 400, 46, 400)
  const side = (width - (COVERS - 1) * 24) / COVERS
  covers.forEach((cover, at) => {
    drawCover(context, cover, { x: MARGIN + at * (side + 24), y: 460, side })
  })
  write(foot, SIDE - MARGIN, 42, 400)
}
