import { useSignals } from '@preact/signals-react/runtime'
import { CheckCheck, ChevronDown, CircleDashed, Download, Ellipsis, ListPlus, ListTree, Play } from 'lucide-react'
import { type MouseEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EpisodeGroup, EpisodeOutline, EpisodeWrapper } from '../../../shared/api/episode'
import type { MatchingInPodcast } from '../../../shared/api/matching'
import { useApp } from '../../app-context'
import { Menu, type MenuItem } from '../../components/menu'
import { formatMinutes } from '../../format'
import { translate } from '../../i18n'
import type { Section } from '../../library/episodes/episode-list-groups'

type By = EpisodeOutline['by']
type Needs = {
  podcastId: string
  outline: EpisodeOutline | null
  filter: MatchingInPodcast
  /** Whether the list is whole: then seasons that were played are folded, from the second visit on. */
  isUnfiltered: boolean
  firstOf: (place: number) => Promise<EpisodeWrapper | undefined>
  podcastName: string
}

/** The seasons or years of a podcast's list, or one section without a heading; folding them is remembered. */
export function useSections({ podcastId, outline, filter, isUnfiltered, firstOf, podcastName }: Needs) {
  const { isFolded, toggle } = useFolding(podcastId, outline, isUnfiltered)
  const wanted = JSON.stringify(filter)
  const sections = useMemo((): readonly Section[] => {
    if (!outline) return []
    const { by, total, groups } = outline
    if (by === null) return [{ key: 'all', count: total }]
    const filter = JSON.parse(wanted) as MatchingInPodcast
    const starts = startsOf(groups)
    return groups.map((group, at) => {
      const key = String(group.key)
      const part = { ...filter, ...(by === 'season' ? { season: group.key } : { year: group.key ?? 0 }) }
      return {
        key,
        count: group.count,
        isFolded: isFolded(key),
        label: <SectionHeading by={by} group={group} isFolded={isFolded(key)} onToggle={() => toggle(key)} />,
        end: (
          <SectionMenu
            name={nameOf(by, group)}
            {...{ part, group, podcastName }}
            firstOf={() => firstOf(starts[at]!)}
          />
        ),
      }
    })
  }, [outline, wanted, isFolded, toggle, firstOf, podcastName])
  return { sections, unfold: (key: string) => isFolded(key) && toggle(key) }
}

function nameOf(by: By, { key }: EpisodeGroup): string {
  if (key === null) return translate(by === 'season' ? 'season-none' : 'undated')
  return by === 'season' ? translate('season', { number: key }) : String(key)
}

type Folding = { toggled: Readonly<Record<string, boolean>> }

/** Folds sections as the reader left them, else the seasons that were all played before this visit. */
function useFolding(podcastId: string, outline: EpisodeOutline | null, isUnfiltered: boolean) {
  const [{ toggled, isFirstVisit }, setToggled] = useState(() => rememberedFolding(podcastId))
  const [played, setPlayed] = useState<ReadonlySet<string> | null>(null)
  // Once: a season that is finished now stays where it is.
  if (played === null && outline) setPlayed(isFirstVisit ? new Set() : playedSeasons(outline))
  return useMemo(() => {
    const isFolded = (key: string) => toggled[key] ?? (isUnfiltered && (played?.has(key) ?? false))
    function toggle(key: string) {
      const next = { ...toggled, [key]: !isFolded(key) }
      setToggled({ toggled: next, isFirstVisit })
      localStorage.setItem(keyOf(podcastId), JSON.stringify({ toggled: next } satisfies Folding))
    }
    return { isFolded, toggle }
  }, [podcastId, toggled, isFirstVisit, played, isUnfiltered])
}

const isPlayed = ({ count, finished }: EpisodeGroup) => finished === count

/** None if all are played: the page would show only headings. An episode that is sought is in none of them. */
function playedSeasons({ by, groups, place }: EpisodeOutline): ReadonlySet<string> {
  if (by !== 'season' || groups.every(isPlayed)) return new Set()
  const starts = startsOf(groups)
  const holdsSought = (at: number) => place !== null && place >= starts[at]! && place < starts[at + 1]!
  return new Set(groups.flatMap((group, at) => (isPlayed(group) && !holdsSought(at) ? String(group.key) : [])))
}

/** The places at which groups begin, and the end of the last. */
function startsOf(groups: readonly EpisodeGroup[]): number[] {
  const starts = [0]
  for (const { count } of groups) starts.push(starts.at(-1)! + count)
  return starts
}

const keyOf = (podcastId: string) => `seasons.${podcastId}`

function rememberedFolding(podcastId: string): Folding & { isFirstVisit: boolean } {
  const known = localStorage.getItem(keyOf(podcastId))
  if (known === null) localStorage.setItem(keyOf(podcastId), JSON.stringify({ toggled: {} } satisfies Folding))
  try {
    return { ...(JSON.parse(known ?? '{"toggled":{}}') as Folding), isFirstVisit: known === null }
  } catch {
    return { toggled: {}, isFirstVisit: false }
  }
}

type HeadingProps = { by: By; group: EpisodeGroup; isFolded: boolean; onToggle: () => void }

function SectionHeading({ by, group, isFolded, onToggle }: HeadingProps) {
  const { t } = useTranslation()
  const facts = [
    t('episodes-count', { count: group.count }),
    group.seconds > 0 && formatMinutes(roundLong(group.seconds)),
    isPlayed(group) && t('all-played'),
  ]
  function press({ currentTarget }: MouseEvent) {
    if (!isFolded) scrollToStart(currentTarget)
    onToggle()
  }
  return (
    <button
      type="button"
      className="section-toggle plain ink start row gap-8"
      aria-expanded={!isFolded}
      onClick={press}
    >
      <ChevronDown size={18} aria-hidden="true" />
      <span className="nowrap rigid">{nameOf(by, group)}</span>
      <span className="group-facts regular muted numbers truncate">{facts.filter(Boolean).join(' · ')}</span>
    </button>
  )
}

const HOUR = 3600
/** Leaves the minutes away beyond two hours: the heading is one line, also on phones. */
const roundLong = (seconds: number) => (seconds < 2 * HOUR ? seconds : Math.round(seconds / HOUR) * HOUR)

/** Scrolls back to the beginning of a section whose heading sticks, since its rows are about to go. */
function scrollToStart(button: Element) {
  const head = button.closest('.episode-group-head')!
  const above = head.parentElement!.getBoundingClientRect().top - parseFloat(getComputedStyle(head).top)
  if (above < 0) scrollBy(0, above)
}

type MenuProps = {
  name: string
  /** Names the episodes of the section. */
  part: MatchingInPodcast
  group: EpisodeGroup
  podcastName: string
  firstOf: () => Promise<EpisodeWrapper | undefined>
}

/** The actions on all episodes of a season or year. */
function SectionMenu({ name, part, group, podcastName, firstOf }: MenuProps) {
  useSignals()
  const app = useApp()
  const { t } = useTranslation()
  type Action = 'queueLast' | 'download' | 'markUnplayed' | 'markPlayed'
  async function run(action: Action) {
    const { actionsOn } = await import('../../library/episodes/selection-actions')
    await actionsOn(app, () => ({ chosen: part, count: group.count }))[action]()
  }
  const runs = (action: Action) => () => void run(action).catch(app.failed)
  async function play() {
    const first = await firstOf()
    if (!first) return
    await app.queue.addAll({ ...part, ...(!isPlayed(group) && { only_unlistened: true }) }, 'next')
    await app.player.play(first, podcastName)
  }
  const items = (): MenuItem[] => [
    { icon: Play, label: t('play'), onSelect: () => void play().catch(app.failed) },
    { icon: ListPlus, label: t('queue-these'), onSelect: runs('queueLast') },
    ...(app.session.mayUpload.value ? [{ icon: Download, label: t('download-all'), onSelect: runs('download') }] : []),
    isPlayed(group)
      ? {
          icon: CircleDashed,
          label: t('mark-unplayed'),
          onSelect: runs('markUnplayed'),
        }
      : {
          icon: CheckCheck,
          label: t('mark-these-played'),
          onSelect: runs('markPlayed'),
        },
  ]
  return <Menu icon={Ellipsis} label={t('more-of', { name })} heading={name} items={items} />
}

type JumpProps = { outline: EpisodeOutline | null; onJump: (key: string) => void }

/** Lists the seasons or years of a podcast, and leads to one. */
export function JumpMenu({ outline, onJump }: JumpProps) {
  const { t } = useTranslation()
  const { by = null, groups = [] } = outline ?? {}
  if (groups.length < 2) return null
  const items = groups.map(group => ({
    icon: ListTree,
    label: nameOf(by, group),
    onSelect: () => onJump(String(group.key)),
  }))
  const label = t(by === 'season' ? 'jump-to-season' : 'jump-to-year')
  return <Menu icon={ListTree} label={label} heading={label} items={items} />
}
