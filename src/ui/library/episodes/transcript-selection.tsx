import { Copy, Play } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatSpan } from '../../format'
import { useApp } from '../../app-context'
import { copyText } from '../../device/share'
import './episode-texts.css'

/** Times in milliseconds. */
type Selected = { text: string; startMs: number | null; endMs: number | null }

type Props = { box: RefObject<HTMLElement | null>; onSelect: () => void; onPlayAt: (seconds: number) => void }

/** The actions on selected words of a transcript. */
export function TranscriptSelection({ box, onSelect, onPlayAt }: Props) {
  const { toasts } = useApp()
  const { t } = useTranslation()
  const selected = useSelected(box, onSelect)
  usePress(box, onPlayAt)
  if (!selected) return null
  const { text, startMs, endMs } = selected
  async function copy() {
    if (await copyText(text)) toasts.done(t('copied'))
  }
  return (
    // Keeps the selection, which a press would end.
    <div
      className="transcript-selection row gap-8"
      role="toolbar"
      aria-label={t('actions')}
      onPointerDown={event => event.preventDefault()}
    >
      {startMs !== null && endMs !== null && (
        <span className="numbers text-s grow" role="status">
          {t('selected-length', { time: formatSpan(Math.max(1, (endMs - startMs) / 1000)) })}
        </span>
      )}
      {startMs !== null && (
        <button type="button" className="plain with-icon text-s strong" onClick={() => onPlayAt(startMs / 1000)}>
          <Play size={18} strokeWidth={1.75} aria-hidden="true" />
          {t('play')}
        </button>
      )}
      <button type="button" className="plain with-icon text-s strong" onClick={() => void copy()}>
        <Copy size={18} strokeWidth={1.75} aria-hidden="true" />
        {t('copy')}
      </button>
    </div>
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
      const sentences = [...box.current!.querySelectorAll<HTMLElement>('.sentence')].filter(one =>
        selection.containsNode(one, true),
      )
      const [first, last] = [sentences[0], sentences.at(-1)]
      if (!first || !last) return setSelected(null)
      onSelect()
      setSelected({
        text: selection.toString().trim(),
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

const numberOf = (text: string | undefined) => (text === undefined ? null : Number(text))
