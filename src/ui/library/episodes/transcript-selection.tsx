import { BookmarkPlus, Copy, type LucideIcon, Play, Quote } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatSpan } from '../../format-facts'
import { useApp } from '../../app-context'
import { copyText } from '../../device/share'
import './episode-texts.css'

/** Words of a transcript, with the speaker of the first; times in milliseconds. */
export type Selected = { text: string; speaker: string | null; startMs: number | null; endMs: number | null }

/** The actions that the player has for words. */
export type Quoting = { onCard: (selected: Selected) => void; onMark: (selected: Selected) => void }

type Props = {
  box: RefObject<HTMLElement | null>
  quoting?: Quoting | undefined
  onSelect: () => void
  onPlayAt: (seconds: number) => void
}

/** The actions on selected words of a transcript. */
export function TranscriptSelection({ box, quoting, onSelect, onPlayAt }: Props) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  const selected = useSelected(box, onSelect)
  const toolbar = useRef<HTMLDivElement>(null)
  usePress(box, onPlayAt)
  useSentenceKeys(box, () => toolbar.current?.querySelector('button')?.focus())
  if (!selected) return null
  const { text, startMs, endMs } = selected
  async function copy() {
    if (await copyText(text)) toasts.done(t('copied'))
  }
  return (
    // Keeps the selection, which a press would end.
    <div
      className="transcript-selection floating wrap level x-12"
      role="toolbar"
      aria-label={t('actions')}
      tabIndex={-1}
      ref={toolbar}
      onPointerDown={event => event.preventDefault()}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        box.current?.focus()
        document.getSelection()?.removeAllRanges()
      }}
    >
      {startMs !== null && endMs !== null && (
        <span className="numbers text-s" role="status">
          {t('selected-length', { time: formatSpan(Math.max(1, (endMs - startMs) / 1000)) })}
        </span>
      )}
      {quoting && <Action icon={Quote} label={t('share-card')} onClick={() => quoting.onCard(selected)} />}
      {startMs !== null && <Action icon={Play} label={t('play')} onClick={() => onPlayAt(startMs / 1000)} />}
      <Action icon={Copy} label={t('copy')} onClick={() => void copy()} />
      {quoting && startMs !== null && (
        <Action icon={BookmarkPlus} label={t('bookmark')} onClick={() => quoting.onMark(selected)} />
      )}
    </div>
  )
}

function Action({ icon: Icon, label, onClick }: { icon: LucideIcon; label: string; onClick: () => void }) {
  return (
    <button type="button" className="reachable inset-8 inherited plain with-icon text-s strong" onClick={onClick}>
      <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
      {label}
    </button>
  )
}

/** The words of a transcript that the reader has selected, with the times of their sentences; null = none. */
function useSelected(box: RefObject<HTMLElement | null>, onSelect: () => void): Selected | null {
  const [selected, setSelected] = useState<Selected | null>(null)
  useEffect(() => {
    function read() {
      const selection = document.getSelection()
      const isHere = selection && !selection.isCollapsed && box.current?.contains(selection.anchorNode)
      if (!isHere) return setSelected(null)
      const range = selection.getRangeAt(0)
      const parts = [...box.current!.querySelectorAll<HTMLElement>('.sentence')]
        .filter(one => selection.containsNode(one, true))
        .map(sentence => ({ sentence, words: wordsIn(sentence, range) }))
        .filter(({ words }) => words !== '')
      const [first, last] = [parts[0]?.sentence, parts.at(-1)?.sentence]
      if (!first || !last) return setSelected(null)
      onSelect()
      setSelected({
        text: parts.map(({ words }) => words).join(' '),
        speaker: first.closest('.transcript-paragraph')?.querySelector('.transcript-speaker')?.textContent ?? null,
        startMs: numberOf(first.dataset.start),
        endMs: numberOf(last.dataset.end),
      })
    }
    document.addEventListener('selectionchange', read)
    return () => document.removeEventListener('selectionchange', read)
    // The listener reads the newest functions anyway: both only set state.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [box])
  return selected
}

/** The words of a sentence that are within a range, without the names and times between sentences. */
function wordsIn(sentence: HTMLElement, { startContainer, startOffset, endContainer, endOffset }: Range): string {
  const part = document.createRange()
  part.selectNodeContents(sentence)
  if (sentence.contains(startContainer)) part.setStart(startContainer, startOffset)
  if (sentence.contains(endContainer)) part.setEnd(endContainer, endOffset)
  return part.toString().trim()
}

/** Plays from a sentence that is pressed; by keyboard, the time of its paragraph does. */
function usePress(box: RefObject<HTMLElement | null>, onPlayAt: (seconds: number) => void) {
  useEffect(() => {
    const element = box.current
    function press(event: MouseEvent) {
      const start = (event.target as Element).closest<HTMLElement>('.sentence')?.dataset.start
      if (start !== undefined && document.getSelection()?.isCollapsed !== false) onPlayAt(Number(start) / 1000)
    }
    element?.addEventListener('click', press)
    return () => element?.removeEventListener('click', press)
  })
}

/**
 * Selects sentences by keyboard while the transcript has the focus: arrows go to the next and the one before, with Shift
 * they extend the selection, Enter leads to the actions, Escape ends it.
 */
function useSentenceKeys(box: RefObject<HTMLElement | null>, onEnter: () => void) {
  useEffect(() => {
    const element = box.current
    function onKeyDown(event: KeyboardEvent) {
      const selection = document.getSelection()
      if (!element || !selection || event.target !== element) return
      const isHere = !selection.isCollapsed && element.contains(selection.focusNode)
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step) select(element, selection, isHere ? step : 0, event.shiftKey)
      else if (isHere && event.key === 'Enter') onEnter()
      else if (isHere && event.key === 'Escape') selection.removeAllRanges()
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    element?.addEventListener('keydown', onKeyDown)
    return () => element?.removeEventListener('keydown', onKeyDown)
  })
}

/** Selects the sentence `step` after the selected one, or all up to that one. Step 0 = the one that is spoken. */
function select(box: HTMLElement, selection: Selection, step: number, isExtending: boolean) {
  const all = [...box.querySelectorAll<HTMLElement>('.sentence')]
  const placeOf = (node: Node | null) => all.findIndex(one => one.contains(node))
  const spoken = all.findIndex(one => one.classList.contains('is-sought'))
  const to = step ? Math.min(all.length - 1, Math.max(0, placeOf(selection.focusNode) + step)) : Math.max(0, spoken)
  const from = step && isExtending ? placeOf(selection.anchorNode) : to
  const [first, last] = [all[from], all[to]]
  if (!first || !last) return
  const lengthOf = (one: HTMLElement) => one.childNodes.length
  if (from <= to) selection.setBaseAndExtent(first, 0, last, lengthOf(last))
  else selection.setBaseAndExtent(first, lengthOf(first), last, 0)
  last.scrollIntoView({ block: 'nearest' })
}

const numberOf = (text: string | undefined) => (text === undefined ? null : Number(text))
