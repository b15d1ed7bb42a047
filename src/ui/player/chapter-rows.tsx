import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { Chapter } from '../../shared/api/chapter'
import { formatDuration } from '../../shared/duration'
import { useApp } from '../app-context'
import { ChapterItem } from '../library/episodes/chapter-item'
import { ChapterMarkMenu, useChapterMark } from './marked-tools'

/** The chapters of the episode that plays; the current one says what is left of it. */
export function ChapterRows({ chapters, onPlayAt }: { chapters: readonly Chapter[]; onPlayAt: (at: number) => void }) {
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
            className="chap"
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
  return <span className="chap-left numbers">{t('time-left', { time: formatDuration(seconds) })}</span>
}
