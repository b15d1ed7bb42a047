import { useSignals } from '@preact/signals-react/runtime'
import { Ellipsis, Megaphone, MegaphoneOff, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Chapter } from '../../shared/api/texts'
import type { SkipMark } from '../../shared/api/marks'
import { formatDuration } from '../../shared/duration'
import { useApp } from '../app-context'
import { Check } from '../components/fields'
import { IconButton } from '../components/buttons'
import { Menu } from '../components/menu'
import { isMarked } from '../state/marked-parts'

/** Returns the marked parts of what plays; undefined until the code for them is loaded. */
export function useSkipMarks() {
  useSignals()
  return useApp().extras.value?.skipMarks
}

/** Marks a part by hand: one press where it begins, one where it ends. */
export function useMarking() {
  const { t } = useTranslation()
  const skipMarks = useSkipMarks()
  const begunAt = skipMarks?.begunAt.value ?? null
  return {
    begunAt,
    isReady: skipMarks !== undefined,
    label: begunAt === null ? t('mark-part') : t('mark-part-end', { time: formatDuration(begunAt) }),
    onClick: () => void skipMarks?.markHere(),
  }
}

/** The tool for that, where the sound can't be shaped; everybody has it in the menu. */
export function MarkTool() {
  const { t } = useTranslation()
  const { begunAt, isReady, label, onClick } = useMarking()
  return (
    <button
      type="button"
      className="tool caption plain center relative gap-2"
      aria-label={begunAt === null ? `${t('mark-part-short')}: ${label}` : label}
      title={label}
      aria-pressed={begunAt !== null}
      disabled={!isReady}
      onClick={onClick}
    >
      <Megaphone size={22} strokeWidth={1.75} aria-hidden="true" />
      <span className="numbers">{begunAt === null ? t('mark-part-short') : `${formatDuration(begunAt)} –`}</span>
    </button>
  )
}

/** Ends the part that was begun; absent while none is. */
export function MarkButton() {
  const { begunAt, label, onClick } = useMarking()
  if (begunAt === null) return null
  return <IconButton icon={Megaphone} label={label} className="soft accent" onClick={onClick} />
}

/** Turns skipping on or off for the podcast that plays; shown if there is something to skip. */
export function SkipMarkedSwitch() {
  const { player } = useApp()
  const { t } = useTranslation()
  const skipMarks = useSkipMarks()
  if (!skipMarks?.parts.value.length && !player.skipsMarked.value) return null
  return (
    <div className="skip-marked">
      <Check isOn={player.skipsMarked.value} onChange={player.setSkipsMarked}>
        {t('skipMarked')}
      </Check>
    </div>
  )
}

/** Shows that a chapter is marked, and lets the listener change that. */
export function useChapterMark() {
  const { player } = useApp()
  const parts = useSkipMarks()?.parts.value ?? []
  const duration = player.duration.value
  return (chapter: Chapter) => isMarked(parts, chapter, duration)
}

export function ChapterMarkMenu({ chapter, isOn }: { chapter: Chapter; isOn: boolean }) {
  const skipMarks = useSkipMarks()
  const { t } = useTranslation()
  return (
    <Menu
      icon={Ellipsis}
      label={t('more-of-chapter', { title: chapter.title || formatDuration(chapter.startTime) })}
      items={
        skipMarks
          ? [
              {
                icon: isOn ? MegaphoneOff : Megaphone,
                label: isOn ? t('unmark-chapter') : t('mark-chapter'),
                onSelect: () => void skipMarks.markChapter(chapter, !isOn),
              },
            ]
          : []
      }
    />
  )
}

/** The parts that the listener marked. */
export function HandMarks({ onPlayAt }: { onPlayAt: (seconds: number) => void }) {
  const { t } = useTranslation()
  const marks = useSkipMarks()?.marks.value ?? []
  if (marks.length === 0) return null
  return (
    <>
      <h3 className="moments-heading text-s">{t('marked-by-hand')}</h3>
      <ul className="moments">
        {marks
          .toSorted((one, other) => one.start - other.start)
          .map(mark => (
            <HandMark key={mark.id} mark={mark} onPlayAt={onPlayAt} />
          ))}
      </ul>
    </>
  )
}

function HandMark({ mark, onPlayAt }: { mark: SkipMark; onPlayAt: (seconds: number) => void }) {
  const skipMarks = useSkipMarks()
  const { t } = useTranslation()
  const { start, end, skip } = mark
  const stretch = `${formatDuration(start)}–${formatDuration(end)}`
  return (
    <li className="row">
      <button type="button" className="chap grow entry" onClick={() => onPlayAt(start)}>
        <time className="numbers">{stretch}</time>
        <span dir="auto">{skip ? t('mark-skips') : t('mark-plays')}</span>
      </button>
      <Menu
        icon={Ellipsis}
        label={t('more-of-mark', { part: stretch })}
        items={[
          {
            icon: Trash2,
            label: t('remove-mark'),
            isDanger: true,
            onSelect: () => void skipMarks?.remove(mark),
          },
        ]}
      />
    </li>
  )
}
