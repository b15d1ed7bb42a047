import { useSignals } from '@preact/signals-react/runtime'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LONGEST_CLIP } from '../../shared/clip-limits'
import { formatDuration } from '../../shared/duration'
import { canCut } from '../../shared/media-kinds'
import { formatTenths, roundToTenth } from '../../shared/tenths'
import { useApp } from '../app-context'
import { useResource } from '../use-resource'
import { ClipAudio } from './clip-audio'
import { chooseLine, isWithin, moveBorder, quoteOf, timedLines, type Line, type Passage } from './passage'
import { PublicClip } from './public-clip'
import { ShareTexts } from './share-texts'
import type { Playing } from './state'

/** Seconds of the transcript that are shown before and behind the passage as it was at first. */
const AROUND = { before: 120, behind: 300 }

/**
 * A passage with what can be done with it. Its borders are set by hand, while listening, or by lines of the transcript.
 */
export function SharePassage({ playing, initial }: { playing: Playing; initial: Passage }) {
  useSignals()
  const { api, player, session } = useApp()
  const { t } = useTranslation()
  const { episode } = playing
  const isPlaying = player.current.value?.episode.id === episode.id
  const total = (isPlaying && player.duration.value) || episode.total_time
  const [passage, setPassage] = useState(initial)
  const transcript = useResource(
    async (_, id: string) => (episode.has_transcript ? timedLines((await api.episodes.transcript(id)).segments) : []),
    [episode.id],
  )
  const lines = transcript.data ?? []
  const quote = quoteOf(lines, passage)
  const isCuttable = episode.status && canCut(episode.mime_type)
  const clip = { playing, passage, quote }
  return (
    <>
      <Border name="start" passage={passage} total={total} isPlaying={isPlaying} onChange={setPassage} />
      <Border name="end" passage={passage} total={total} isPlaying={isPlaying} onChange={setPassage} />
      <p className="muted numbers">
        {t('passage-length', {
          length: formatTenths(passage.end - passage.start),
          most: formatDuration(LONGEST_CLIP),
        })}
      </p>
      <Lines
        lines={lines.filter(
          ({ start, end }) => end > initial.start - AROUND.before && start < initial.end + AROUND.behind,
        )}
        passage={passage}
        onChoose={line => setPassage(chooseLine(passage, line, total))}
      />
      <ShareTexts {...clip} />
      {isCuttable ? (
        <>
          <ClipAudio {...clip} />
          {session.config.value?.publicClips && <PublicClip {...clip} />}
        </>
      ) : (
        <p className="muted">{t(episode.status ? 'error.clip-unsupported' : 'error.clip-needs-file')}</p>
      )}
    </>
  )
}

/** Pixels of the list that stay in sight next to a line that it is scrolled to. */
const MARGIN = 44

type BorderProps = {
  name: keyof Passage
  passage: Passage
  total: number
  isPlaying: boolean
  onChange: (passage: Passage) => void
}

/** One border of a passage: a second or a tenth earlier or later, or where the player is now. */
function Border({ name, passage, total, isPlaying, onChange }: BorderProps) {
  const { player } = useApp()
  const { t } = useTranslation()
  const at = passage[name]
  const move = (to: number) => onChange(moveBorder(passage, name, roundToTenth(to), total))
  const label = t(`passage-${name}`)
  return (
    <div className="share-border" role="group" aria-label={label}>
      <span>{label}</span>
      <button type="button" className="secondary" disabled={!isPlaying} onClick={() => move(player.position.peek())}>
        {t('passage-now')}
      </button>
      <div className="share-steps">
        <button type="button" className="secondary" aria-label={t('second-earlier')} onClick={() => move(at - 1)}>
          −1 s
        </button>
        <button type="button" className="secondary" aria-label={t('tenth-earlier')} onClick={() => move(at - 0.1)}>
          −0.1
        </button>
        <output className="numbers">{formatTenths(at)}</output>
        <button type="button" className="secondary" aria-label={t('tenth-later')} onClick={() => move(at + 0.1)}>
          +0.1
        </button>
        <button type="button" className="secondary" aria-label={t('second-later')} onClick={() => move(at + 1)}>
          +1 s
        </button>
      </div>
    </div>
  )
}

type LinesProps = { lines: readonly Line[]; passage: Passage; onChoose: (line: Line) => void }

/** Lines of the transcript; the chosen ones make up the passage, and are in sight whatever moved its borders. */
function Lines({ lines, passage, onChoose }: LinesProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const chosen = lines.filter(line => isWithin(passage, line))
  const [first, last] = [chosen[0]?.idx, chosen.at(-1)?.idx]
  useLayoutEffect(() => showIn(box.current, 'last'), [last])
  useLayoutEffect(() => showIn(box.current, 'first'), [first])
  if (lines.length === 0) return null
  return (
    <div className="share-lines" role="group" aria-label={t('passage-lines')} ref={box}>
      {lines.map(line => (
        <button
          key={line.idx}
          type="button"
          className="moment"
          aria-pressed={isWithin(passage, line)}
          onClick={() => onChoose(line)}
        >
          <time className="numbers">{formatDuration(line.start)}</time>
          <span dir="auto">{line.text}</span>
        </button>
      ))}
    </div>
  )
}

/** Scrolls a list, and nothing else, to the first or the last chosen line where that is out of sight. */
function showIn(box: HTMLElement | null, which: 'first' | 'last') {
  const line = [...(box?.querySelectorAll<HTMLElement>('[aria-pressed=true]') ?? [])].at(which === 'first' ? 0 : -1)
  if (!box || !line) return
  const [frame, place] = [box.getBoundingClientRect(), line.getBoundingClientRect()]
  if (place.top >= frame.top && place.bottom <= frame.bottom) return
  box.scrollTop += which === 'first' ? place.top - frame.top - MARGIN : place.bottom - frame.bottom + MARGIN
}
