import { useSignals } from '@preact/signals-react/runtime'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chapter } from '../../shared/api/texts'
import { useApp } from '../app-context'
import { lazily } from '../components/lazily'
import { TranscriptOrNone } from '../library/episodes/transcript'
import type { Selected } from '../library/episodes/transcript-selection'
import { BookmarkPanel, BookmarkRows, type Bookmarks as BookmarksOf } from './bookmarks'
import { ChapterMarkMenu, HandMarks, SkipMarkedSwitch, useChapterMark } from './marked-tools'
import { QueuePanel } from './queue-panel'
import type { Playing } from '../playback/state'
import '../components/panels.css'
import './panels.css'
import type { Episode } from '../../shared/api/episode'
import { Empty } from '../components/states'
import { linkTimes, secondsOfLink } from '../library/episodes/time-links'
import { formatDuration } from '../../shared/duration'
import { ChapterItem } from '../library/episodes/chapters'

const ShareCard = lazily(async () => (await import('./share-card')).ShareCard)

export type PanelId = 'notes' | 'chapters' | 'transcript' | 'queue' | 'bookmarks'

type Props = {
  playing: Playing
  bookmarks: BookmarksOf
  shown: PanelId
  /** Whether the panels of a phone are pulled up. */
  isUp: boolean
  label: string
  onShow: (panel: PanelId) => void
  onToggle: () => void
  onPlayAt: (seconds: number) => void
}

/** Everything about the episode in tabs: notes, chapters, transcript, queue and bookmarks. */
export function SheetPanels({ playing, bookmarks, shown, isUp, label, onShow, onToggle, onPlayAt }: Props) {
  useSignals()
  const { t } = useTranslation()
  const { chapters, session, extras } = useApp()
  const all = chapters.all.value
  const hasParts = all.length > 0 || (extras.value?.skipMarks.marks.value.length ?? 0) > 0
  const mayMake = session.mayUpload.value && session.config.value?.transcriptionEnabled
  const { episode } = playing
  const moments = { playing, bookmarks, onPlayAt }
  const panels: (Panel | false)[] = [
    { id: 'notes', label: t('notes'), content: <Notes episode={episode} onPlayAt={onPlayAt} /> },
    hasParts && { id: 'chapters', label: t('chapters'), content: <ChaptersNow all={all} {...moments} /> },
    (episode.has_transcript || mayMake === true) && {
      id: 'transcript',
      label: t('transcript'),
      content: <TranscriptNow {...moments} />,
    },
    { id: 'queue', label: t('queue'), content: <QueuePanel /> },
    {
      id: 'bookmarks',
      label: t('bookmarks'),
      count: bookmarks.all?.length ?? 0,
      content: <BookmarkPanel key={episode.id} {...moments} />,
    },
  ]
  return (
    <section className="sheet-panels shrinks stack" aria-label={label}>
      <button
        type="button"
        className="peek-grab plain on-phone"
        aria-expanded={isUp}
        aria-label={label}
        onClick={onToggle}
      >
        <span className="grab block on-phone" />
      </button>
      <Tabs panels={panels.filter(panel => panel !== false)} shown={shown} onShow={onShow} />
    </section>
  )
}

function ChaptersNow({
  all,
  ...moments
}: Omit<Parameters<typeof BookmarkPanel>[0], 'all'> & { all: readonly Chapter[] }) {
  const { t } = useTranslation()
  const hasBookmarks = (moments.bookmarks.all?.length ?? 0) > 0
  return (
    <>
      <SkipMarkedSwitch />
      <ChapterRows chapters={all} onPlayAt={moments.onPlayAt} />
      <HandMarks onPlayAt={moments.onPlayAt} />
      {hasBookmarks && <h3 className="moments-heading text-s">{t('bookmarks')}</h3>}
      {hasBookmarks && <BookmarkRows {...moments} />}
    </>
  )
}

/** The queue above the chapters, next to the panels on the widest screens. */
export function SheetSide({ onPlayAt }: Pick<Props, 'onPlayAt'>) {
  useSignals()
  const { t } = useTranslation()
  const all = useApp().chapters.all.value
  return (
    <aside className="sheet-side scrolls" aria-label={t('queue')}>
      <QueuePanel headingId="side-queue" />
      {all.length > 0 && (
        <>
          <h2 className="moments-heading">{t('chapters')}</h2>
          <ChapterRows chapters={all} onPlayAt={onPlayAt} />
        </>
      )}
    </aside>
  )
}

/** Its words can be marked, and shared as a card: that of the episode whose words they are, even if another begins. */
function TranscriptNow({ playing, bookmarks, onPlayAt }: Parameters<typeof BookmarkPanel>[0]) {
  useSignals()
  const { player } = useApp()
  const [card, setCard] = useState<{ playing: Playing; selected: Selected } | null>(null)
  const quoting = {
    onCard: (selected: Selected) => setCard({ playing, selected }),
    onMark: ({ text, startMs }: Selected) => void bookmarks.add(text.slice(0, 1000), (startMs ?? 0) / 1000),
  }
  return (
    <>
      <TranscriptOrNone
        episode={playing.episode}
        moment={Math.floor(player.position.value)}
        onPlayAt={onPlayAt}
        quoting={quoting}
      />
      {card && <ShareCard {...card} onClose={() => setCard(null)} />}
    </>
  )
}

type Panel = { id: PanelId; label: string; count?: number; content: ReactNode }
type TabsProps = { panels: readonly Panel[]; shown: PanelId; onShow: (panel: PanelId) => void }

/** Tabs of panels, one of which is shown; arrows move between tabs. */
function Tabs({ panels, shown, onShow }: TabsProps) {
  const id = useId()
  const tabs = useRef<HTMLDivElement>(null)
  const place = Math.max(
    0,
    panels.findIndex(panel => panel.id === shown),
  )
  const current = panels[place]!

  function onKeyDown(event: KeyboardEvent) {
    const steps: Record<string, number> = {
      ArrowRight: place + 1,
      ArrowLeft: place - 1,
      Home: 0,
      End: panels.length - 1,
    }
    const to = steps[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = (to + panels.length) % panels.length
    onShow(panels[next]!.id)
    tabs.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <>
      <div className="tabs flex" role="tablist" tabIndex={-1} ref={tabs} onKeyDown={onKeyDown}>
        {panels.map(panel => (
          <button
            key={panel.id}
            type="button"
            className="plain strong faint rigid nowrap undecorated row"
            role="tab"
            id={`${id}-${panel.id}-tab`}
            aria-controls={`${id}-panel`}
            aria-selected={panel === current}
            tabIndex={panel === current ? 0 : -1}
            onClick={() => onShow(panel.id)}
          >
            {panel.label}
            {panel.count ? <span className="tab-count count numbers above-phone">{` ${panel.count}`}</span> : null}
          </button>
        ))}
      </div>
      <div className="sheet-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current.id}-tab`}>
        {current.content}
      </div>
    </>
  )
}

type NotesProps = { episode: Episode; onPlayAt: (seconds: number) => void }

/** The notes, as HTML that the server has sanitised; times in them play from there. */
function Notes({ episode: { description, total_time }, onPlayAt }: NotesProps) {
  const { t } = useTranslation()
  const html = useMemo(
    () => linkTimes(description, { longest: total_time, nameOf: time => t('play-from-time', { time }) }),
    [description, total_time, t],
  )
  const notes = useRef<HTMLDivElement>(null)
  // Its links are clicked and focused, not the notes.
  useEffect(() => {
    const element = notes.current
    function onClick(event: MouseEvent) {
      const seconds = event.target && secondsOfLink(event.target)
      if (seconds === null) return
      event.preventDefault()
      onPlayAt(seconds)
    }
    element?.addEventListener('click', onClick)
    return () => element?.removeEventListener('click', onClick)
  }, [html, onPlayAt])
  if (description === '') return <Empty>{t('no-notes')}</Empty>
  return (
    <div
      className="episode-notes flush prose shrinks breaks"
      dir="auto"
      ref={notes}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}

/** The chapters of the episode that plays; the current one shows what is left of it. */
function ChapterRows({ chapters, onPlayAt }: { chapters: readonly Chapter[]; onPlayAt: (at: number) => void }) {
  useSignals()
  const app = useApp()
  const isMarked = useChapterMark()
  const current = app.chapters.current.value
  return (
    <ol className="moments">
      {chapters.map(chapter => {
        const isCurrent = chapter === current
        const isAdvertising = isMarked(chapter)
        return (
          <ChapterItem
            key={chapter.id}
            className="chap grow entry"
            {...{ chapter, isCurrent, isAdvertising, onPlayAt }}
            menu={<ChapterMarkMenu chapter={chapter} isOn={isAdvertising} />}
          >
            {isCurrent && <ChapterLeft />}
          </ChapterItem>
        )
      })}
    </ol>
  )
}

function ChapterLeft() {
  useSignals()
  const { t } = useTranslation()
  const { player, chapters } = useApp()
  const seconds = Math.max(0, chapters.end.value - player.position.value)
  return <span className="accent strong text-xs numbers">{t('time-left', { time: formatDuration(seconds) })}</span>
}
