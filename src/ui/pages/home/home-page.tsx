import { useSignals } from '@preact/signals-react/runtime'
import { useCallback, useLayoutEffect, useState } from 'react'
import { useApp } from '../../app-context'
import { langOf } from '../../format'
import { Empty, Failed } from '../../components/states'
import { HomeHeader } from '../../library/headers'
import { EmptyLibrary } from '../../library/podcasts/empty-library'
import { Hero, HeroSkeleton, useHero } from './hero'
import './home.css'
import { PanelRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { lazily } from '../../components/lazily'
import { QueueSummary } from '../../player/queue-summary'
import { Link } from 'wouter'
import { PodcastCover } from '../../library/covers'
import { routes } from '../../routes'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { FilterChip } from '../../components/filter-chip'
import { EpisodeList, EpisodeSkeleton } from '../../library/episodes/episode-list'
import { dateFormOf, timelineGroupOf } from '../../library/episodes/time-groups'
import { type TimelineFilter, TimelineHeading, useTimeline } from '../../library/episodes/timeline-heading'

/** Home page: what is in progress, then what is new, what plays next, and what came into the library last. */
export function HomePage() {
  useSignals()
  const { library, firstRun } = useApp()
  if (library.status.value === 'failed')
    return <Failed error={library.error.value} onRetry={() => void library.load()} />
  return (
    <>
      <HomeHeader />
      {firstRun.isShown.value ? <EmptyLibrary /> : <Sections />}
    </>
  )
}

function Sections() {
  const { cards, isFromFavourites } = useHero()
  const newEpisodes = useNewEpisodes()
  const [isListed, setListed] = useState(false)
  // What is below is loaded at the same time, and shown after the cards above, which would push it down.
  if (cards === null)
    return (
      <>
        <HeroSkeleton />
        <NewEpisodesSkeleton />
      </>
    )
  return (
    <>
      <Hero cards={cards} isFromFavourites={isFromFavourites} />
      <div className="home-columns single stack">
        <NewEpisodes {...newEpisodes} onListed={() => setListed(true)} />
        <HomeQueue />
      </div>
      {isListed && <RecentlyAdded />}
    </>
  )
}

const QueueList = lazily(async () => (await import('../../player/queue-list')).QueueList)

/** The queue at the end of the home page, on wide screens and unless it is next to the page anyway. */
function HomeQueue() {
  useSignals()
  const { upcoming, queuePanel } = useApp()
  const { t } = useTranslation()
  if (queuePanel.isDocked.value || upcoming.value.length === 0) return null
  return (
    <aside className="home-section above-24 shrinks home-queue" aria-labelledby="home-queue">
      <div className="home-heading wrap row gap-8">
        <h2 className="grow flush" id="home-queue">
          {t('queue')}
        </h2>
        <QueueSummary isFull={false} />
      </div>
      <QueueList />
      <button type="button" className="quiet small with-icon above-8" onClick={queuePanel.toggle}>
        <PanelRight size={18} strokeWidth={1.75} aria-hidden="true" />
        {t('keep-queue-open')}
      </button>
    </aside>
  )
}

const MAX_TILES = 12

/** The podcasts that came into the library last. */
function RecentlyAdded() {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  const latest = library.all.value
    .toSorted((one, other) => other.added_at.localeCompare(one.added_at))
    .slice(0, MAX_TILES)
  if (latest.length === 0) return null
  return (
    <section className="home-section above-24 shrinks">
      <div className="home-heading wrap row gap-8">
        <h2 className="grow flush">{t('recently-added')}</h2>
      </div>
      <ul className="home-shelf shelf gap-20">
        {latest.map(podcast => (
          <li className="shrinks" key={podcast.id}>
            <Link className="bare block" href={routes.episodes(podcast.id)}>
              <PodcastCover podcast={podcast} size={256} />
              <span className="title clamp above-8">
                <bdi lang={langOf(podcast.language)}>{podcast.name}</bdi>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const MAX_ROWS = 12

const filters: readonly { key: string; filter: TimelineFilter }[] = [
  { key: 'all', filter: {} },
  { key: 'favorites', filter: { favoredOnly: true } },
  { key: 'not-played', filter: { notListened: true } },
]

/** The newest episodes, and which of them are chosen. */
function useNewEpisodes() {
  const [chosen, choose] = useState(filters[0]!)
  return { chosen, choose, timeline: useTimeline({ filter: chosen.filter, limit: MAX_ROWS, isBrief: true }) }
}

type Props = ReturnType<typeof useNewEpisodes> & {
  /** Called once it is known how many there are. */
  onListed: () => void
}

/** The newest episodes by day, and the way to all of them. */
function NewEpisodes({ chosen, choose, timeline: { list, nameOf, sums }, onListed }: Props) {
  useSignals()
  const { t } = useTranslation()
  const isListed = list.status.value === 'ready' || list.status.value === 'failed'
  useLayoutEffect(() => {
    if (isListed) onListed()
    // Only the first time matters.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isListed])
  const groupOf = useCallback(
    (wrapper: EpisodeWrapper) => {
      const key = timelineGroupOf(wrapper)
      return { key, label: <TimelineHeading group={key} sums={sums} /> }
    },
    [sums],
  )
  return (
    <section className="home-section above-24 shrinks">
      <div className="home-heading wrap row gap-8">
        <h2 className="grow flush">{t('new-episodes')}</h2>
        <div className="chip-line row gap-8 above-phone">
          {filters.map(filter => (
            <FilterChip
              key={filter.key}
              label={t(filter.key)}
              isOn={filter === chosen}
              onToggle={() => choose(filter)}
            />
          ))}
        </div>
        <Link className="reach text-s strong rounded undecorated" href={routes.timeline}>
          {t('timeline')}
        </Link>
      </div>
      <EpisodeList
        list={list}
        podcastNameOf={nameOf}
        showPodcast
        dateForm={dateFormOf}
        groupOf={groupOf}
        empty={<Empty>{t(chosen === filters[0] ? 'no-episodes-yet' : 'timeline-empty-filtered')}</Empty>}
      />
    </section>
  )
}

/** A placeholder as high as the heading and the rows that are loading. */
const NewEpisodesSkeleton = () => (
  <div className="home-section above-24 shrinks">
    <div className="home-heading wrap row gap-8" />
    <EpisodeSkeleton count={8} showCover />
  </div>
)
