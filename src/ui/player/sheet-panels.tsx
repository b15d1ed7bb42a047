import { useSignals } from '@preact/signals-react/runtime'
import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chapter } from '../../shared/api/chapter'
import { useApp } from '../app-context'
import { TranscriptOrNone } from '../library/episodes/transcript'
import { BookmarkRows, Bookmarks } from './bookmarks'
import { ChapterRows } from './chapter-rows'
import { HandMarks, SkipMarkedSwitch } from './marked-tools'
import { Notes } from './notes'
import { QueuePanel } from './queue-panel'
import type { Playing } from './state'
import type { Bookmarks as BookmarksOf } from './use-bookmarks'
import '../components/tabs.css'
import './sheet-panels.css'

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
      content: <TranscriptNow episode={episode} onPlayAt={onPlayAt} />,
    },
    { id: 'queue', label: t('queue'), content: <QueuePanel /> },
    {
      id: 'bookmarks',
      label: t('bookmarks'),
      count: bookmarks.all?.length ?? 0,
      content: <Bookmarks key={episode.id} {...moments} />,
    },
  ]
  return (
    <section className="sheet-panels" aria-label={label}>
      <button type="button" className="peek-grab" aria-expanded={isUp} aria-label={label} onClick={onToggle}>
        <span className="grab" />
      </button>
      <Tabs panels={panels.filter(panel => panel !== false)} shown={shown} onShow={onShow} />
    </section>
  )
}

function ChaptersNow({ all, ...moments }: Omit<Parameters<typeof Bookmarks>[0], 'all'> & { all: readonly Chapter[] }) {
  const { t } = useTranslation()
  const hasBookmarks = (moments.bookmarks.all?.length ?? 0) > 0
  return (
    <>
      <SkipMarkedSwitch />
      <ChapterRows chapters={all} onPlayAt={moments.onPlayAt} />
      <HandMarks onPlayAt={moments.onPlayAt} />
      {hasBookmarks && <h3 className="moments-heading">{t('bookmarks')}</h3>}
      {hasBookmarks && <BookmarkRows {...moments} />}
    </>
  )
}

function TranscriptNow({ episode, onPlayAt }: Pick<Playing, 'episode'> & Pick<Props, 'onPlayAt'>) {
  useSignals()
  const { player } = useApp()
  return <TranscriptOrNone episode={episode} moment={Math.floor(player.position.value)} onPlayAt={onPlayAt} />
}

type Panel = { id: PanelId; label: string; count?: number; content: ReactNode }
type TabsProps = { panels: readonly Panel[]; shown: PanelId; onShow: (panel: PanelId) => void }

/** Tabs of panels, one of which is shown; arrows go from tab to tab. */
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
      <div className="tabs" role="tablist" tabIndex={-1} ref={tabs} onKeyDown={onKeyDown}>
        {panels.map(panel => (
          <button
            key={panel.id}
            type="button"
            role="tab"
            id={`${id}-${panel.id}-tab`}
            aria-controls={`${id}-panel`}
            aria-selected={panel === current}
            tabIndex={panel === current ? 0 : -1}
            onClick={() => onShow(panel.id)}
          >
            {panel.label}
            {panel.count ? <span className="tab-count numbers">{` ${panel.count}`}</span> : null}
          </button>
        ))}
      </div>
      <div className="sheet-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current.id}-tab`}>
        {current.content}
      </div>
    </>
  )
}
