import { useSignals } from '@preact/signals-react/runtime'
import { Check, CheckCheck, Clock, Ellipsis, ListPlus } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { PageHeader } from '../../components/page-header'
import { Empty } from '../../components/states'
import { EpisodeList } from '../../library/episodes/episode-list'
import { ListLine } from '../../library/episodes/list-line'
import { dateFormOf, EARLIER, nameTimelineGroup, spanOf, UNDATED } from '../../library/episodes/time-groups'
import { SummedHeading, type TimelineFilter, usePodcastNames } from '../../library/episodes/timeline-heading'
import { useEpisodeSelection, useFollowing } from '../../library/episodes/use-episode-list'
import { EmptyLibrary } from '../../library/podcasts/empty-library'
import { FilterChip } from '../../components/filter-chip'
import { useSearchParams } from 'wouter'
import { Menu } from '../../components/menu'
import { timelineListApi } from '../../api/library'
import { createWholeList, type KeptList } from '../../state/whole-list'
import type { TimelineSpan } from '../../../shared/api/matching'
import type { TimelineOutline } from '../../../shared/api/timeline'
import { useQueueing } from '../../library/episodes/use-bulk-actions'

const PAGE_SIZE = 50

/** The newest episodes of all podcasts, by day. The filters are in the address. */
export function TimelinePage() {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  const { filter, ...filters } = useTimelineFilter()
  const { list, nameOf } = useTimelineList(filter)
  const selection = useEpisodeSelection(list)
  const isEmptyLibrary = library.status.value === 'ready' && library.all.value.length === 0
  const wanted = JSON.stringify(filter)
  const groups = list.outline.value?.groups
  const sections = useMemo(
    () =>
      (groups ?? []).map((sum, at) => ({
        key: sum.group,
        count: sum.count,
        label: <SummedHeading group={sum.group} sum={sum} withDate />,
        end: sum.group !== UNDATED && sum.group !== EARLIER && (
          <DayMenu group={sum.group} isFirst={at === 0} filter={JSON.parse(wanted) as TimelineFilter} />
        ),
      })),
    [groups, wanted],
  )
  return (
    <div className="page-list list-width">
      <PageHeader title={t('timeline')} />
      {!isEmptyLibrary && (
        <ListLine list={list} selection={selection} matching={{ timeline: filter }}>
          <TimelineFilters {...filters} />
        </ListLine>
      )}
      <h2 className="visually-hidden">{t('episodes')}</h2>
      <EpisodeList
        list={list}
        podcastNameOf={nameOf}
        showPodcast
        dateForm={dateFormOf}
        sections={sections}
        selection={selection}
        empty={
          filters.isFiltered && !isEmptyLibrary ? (
            <Empty icon={Clock}>{t('timeline-empty-filtered')}</Empty>
          ) : (
            <EmptyLibrary icon={Clock} text={t('timeline-empty')} />
          )
        }
      />
    </div>
  )
}

/** The timeline as a list that knows its length. */
function useTimelineList(filter: TimelineFilter) {
  const { client, places } = useApp()
  const { note, nameOf } = usePodcastNames()
  const wanted = JSON.stringify(filter)
  const list = useMemo(() => {
    const { page, outline } = timelineListApi(client)
    const filter = JSON.parse(wanted) as TimelineFilter
    return createWholeList<EpisodeWrapper, TimelineOutline>(
      {
        size: PAGE_SIZE,
        idOf: ({ podcastEpisode }) => podcastEpisode.id,
        loadOutline: signal => outline(filter, new Intl.DateTimeFormat().resolvedOptions().timeZone, signal),
        async loadRows(offset, signal) {
          const { data } = await page(filter, offset, PAGE_SIZE, signal)
          data.forEach(({ podcast }) => note(podcast))
          return data.map(item => ({ podcastEpisode: item.podcast_episode, podcastHistoryItem: item.history }))
        },
      },
      places.remembered<KeptList<EpisodeWrapper, TimelineOutline>>('episodes'),
    )
  }, [client, places, wanted, note])
  useFollowing(list, null)
  return { list, nameOf }
}

const choices = [
  { name: 'unplayed', label: 'not-played' },
  { name: 'favorites', label: 'favorites' },
  { name: 'downloaded', label: 'downloaded' },
  { name: 'short', label: 'under-30-min' },
]

type Props = Omit<ReturnType<typeof useTimelineFilter>, 'filter'>

/** The filters of the timeline in one line: what episodes are like, and the tags of their podcasts. */
function TimelineFilters({ isFiltered, isOn, toggle, clear }: Props) {
  useSignals()
  const { library } = useApp()
  const { t } = useTranslation()
  const tags = new Map(library.all.value.flatMap(podcast => podcast.tags.map(({ id, name }) => [id, name] as const)))
  return (
    <div className="chip-line row gap-8" role="group" aria-label={t('filter')}>
      <FilterChip label={t('all')} isOn={!isFiltered} onToggle={clear} />
      {choices.map(({ name, label }) => (
        <FilterChip key={name} label={t(label)} isOn={isOn(name)} onToggle={() => toggle(name)} />
      ))}
      {[...tags]
        .toSorted(([, one], [, other]) => one.localeCompare(other))
        .map(([id, name]) => (
          <FilterChip key={id} label={name} isOn={isOn('tag', id)} onToggle={() => toggle('tag', id)} />
        ))}
    </div>
  )
}

const HALF_AN_HOUR = 1800

/** The filters by their parameter in the address. */
const meanings: Record<string, TimelineFilter> = {
  unplayed: { notListened: true },
  favorites: { favoredOnly: true },
  downloaded: { downloaded: true },
  short: { shorterThan: HALF_AN_HOUR },
}

/** The filter of the timeline, as the address states it. `toggle('tag', id)` chooses one tag instead of another. */
function useTimelineFilter() {
  const [search, setSearch] = useSearchParams()
  const tag = search.get('tag')
  const filter: TimelineFilter = Object.assign(
    tag ? { tag } : {},
    ...Object.entries(meanings).map(([name, meaning]) => search.has(name) && meaning),
  )
  function change(edit: (next: URLSearchParams) => void) {
    setSearch(
      given => {
        const next = new URLSearchParams(given)
        edit(next)
        return next
      },
      { replace: true },
    )
  }
  return {
    filter,
    isFiltered: Object.keys(filter).length > 0,
    isOn: (name: string, value = '') => search.get(name) === value,
    toggle: (name: string, value = '') =>
      change(next => (next.get(name) === value ? next.delete(name) : next.set(name, value))),
    clear: () => change(next => ['tag', ...Object.keys(meanings)].forEach(name => next.delete(name))),
  }
}

type DayMenuProps = { group: string; isFirst: boolean; filter: TimelineFilter }

/** The actions on all episodes of a day or month, and on everything above it. */
function DayMenu({ group, isFirst, filter }: DayMenuProps) {
  const { t } = useTranslation()
  const { queueAll, markPlayed } = useTimelineActions()
  const day = spanOf(group)
  const { name } = nameTimelineGroup(group)
  return (
    <Menu
      icon={Ellipsis}
      label={t('more-of', { name })}
      heading={name}
      items={() => [
        { icon: ListPlus, label: t('queue-these'), onSelect: () => void queueAll({ ...filter, ...day }) },
        { icon: Check, label: t('mark-these-played'), onSelect: () => void markPlayed({ ...filter, ...day }) },
        ...(isFirst
          ? []
          : [
              {
                icon: CheckCheck,
                label: t('mark-above-played'),
                onSelect: () => void markPlayed({ ...filter, from: day.to }),
              },
            ]),
      ]}
    />
  )
}

/** Returns functions that queue and mark a part of the timeline, and offer to undo that. */
function useTimelineActions() {
  const { api, changes, failed, library, toasts } = useApp()
  const { t } = useTranslation()
  const queueing = useQueueing()
  function refresh() {
    changes.all()
    void library.load()
  }
  async function markPlayed(span: TimelineSpan) {
    try {
      const { affected, undo } = await api.timeline.mark(span, true)
      const takeBack = () => void api.timeline.undoMark(undo).then(refresh, failed)
      toasts.done(
        t('marked-count-played', { count: affected }),
        affected > 0 ? { label: t('undo'), run: takeBack } : undefined,
      )
      refresh()
    } catch (error) {
      failed(error)
    }
  }
  return { markPlayed, queueAll: (span: TimelineSpan) => queueing(() => api.timeline.queue(span)) }
}
