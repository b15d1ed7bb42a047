import { useSignals } from '@preact/signals-react/runtime'
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chapter } from '../../shared/api/chapter'
import { useApp } from '../app-context'
import { Empty } from '../components/states'
import { ChapterList } from '../library/episodes/chapters'
import { Segments } from '../library/episodes/transcript'
import { Bookmarks } from './bookmarks'
import { chapterAt } from './chapters'
import { QueueList } from './queue-list'
import type { Playing } from './state'

type Props = { playing: Playing; chapters: readonly Chapter[]; onPlayAt: (seconds: number) => void }

/** The right column of the open player: notes, chapters, transcript, queue and bookmarks. */
export function SheetPanels({ playing: { episode }, chapters, onPlayAt }: Props) {
  const { t } = useTranslation()
  const panels: (Panel | false)[] = [
    { id: 'notes', label: t('notes'), content: <Notes html={episode.description} /> },
    chapters.length > 0 && {
      id: 'chapters',
      label: t('chapters'),
      content: <Chapters chapters={chapters} onPlayAt={onPlayAt} />,
    },
    episode.has_transcript && {
      id: 'transcript',
      label: t('transcript'),
      content: <TranscriptNow episodeId={episode.id} onPlayAt={onPlayAt} />,
    },
    { id: 'queue', label: t('up-next'), content: <QueueList /> },
    {
      id: 'bookmarks',
      label: t('bookmarks'),
      content: <Bookmarks key={episode.id} episodeId={episode.id} onPlayAt={onPlayAt} />,
    },
  ]
  return <Panels panels={panels.filter(panel => panel !== false)} />
}

/** The notes, as HTML that the server has made safe. */
function Notes({ html }: { html: string }) {
  const { t } = useTranslation()
  if (html === '') return <Empty>{t('no-notes')}</Empty>
  return <div className="episode-notes" dangerouslySetInnerHTML={{ __html: html }} />
}

function Chapters({ chapters, onPlayAt }: Pick<Props, 'chapters' | 'onPlayAt'>) {
  useSignals()
  const { player } = useApp()
  const current = chapters[chapterAt(chapters, player.position.value)]
  return <ChapterList chapters={chapters} current={current} onPlayAt={onPlayAt} />
}

function TranscriptNow({ episodeId, onPlayAt }: { episodeId: string; onPlayAt: (seconds: number) => void }) {
  useSignals()
  const { player } = useApp()
  return <Segments episodeId={episodeId} moment={Math.floor(player.position.value)} onPlayAt={onPlayAt} />
}

type Panel = { id: string; label: string; content: ReactNode }

/** Tabs of panels, one of which is shown; arrows go from tab to tab. */
function Panels({ panels }: { panels: readonly Panel[] }) {
  const [chosen, setChosen] = useState('notes')
  const id = useId()
  const tabs = useRef<HTMLDivElement>(null)
  const found = panels.findIndex(panel => panel.id === chosen)
  const place = Math.max(0, found)
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
    setChosen(panels[next]!.id)
    tabs.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  return (
    <section className="sheet-panels">
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
            onClick={() => setChosen(panel.id)}
          >
            {panel.label}
          </button>
        ))}
      </div>
      <div className="sheet-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current.id}-tab`}>
        {current.content}
      </div>
    </section>
  )
}
