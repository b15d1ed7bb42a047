import { useSignals } from '@preact/signals-react/runtime'
import { Fragment, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CLIP_DAYS, MAX_CLIP, MAX_CLIP_DAYS } from '../../shared/limits'
import { formatDuration, formatTenths, roundToTenth } from '../../shared/duration'
import { canCut } from '../../shared/forms'
import { useApp } from '../app-context'
import { useResource } from '../use-resource'
import { chooseLine, isWithin, type Line, moveBorder, type Passage, quoteOf, timedLines } from '../playback/passage'
import { ShareTexts } from './share-texts'
import type { Playing } from '../playback/state'
import { ChevronDown, Download, Headphones, Share2 } from 'lucide-react'
import { BusyButton } from '../components/buttons'
import { onSubmit, useAction } from '../components/use-action'
import { canShareFile, saveFile, shareFile } from '../device/share'
import { useAdministrationApi } from '../use-administration'
import type { Clip } from '../../shared/api/marks'
import { KeyField, SelectField, TextField } from '../components/fields'
import { formatDay } from '../format-facts'
import { useCopyKey } from '../library/forms/copy'

/** Seconds of the transcript that are shown before and after the initial passage. */
const AROUND = { before: 120, behind: 300 }

/** A passage and the actions on it. Its borders are set by hand, while listening, or by lines of the transcript. */
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
          most: formatDuration(MAX_CLIP),
        })}
      </p>
      <Lines
        lines={lines.filter(
          ({ start, end }) => end > initial.start - AROUND.before && start < initial.end + AROUND.behind,
        )}
        passage={passage}
        onChoose={line => setPassage(chooseLine(passage, line, total))}
      />
      {isCuttable ? (
        <ClipAudio {...clip} />
      ) : (
        <p className="muted">{t(episode.status ? 'error.clip-unsupported' : 'error.clip-needs-file')}</p>
      )}
      {isCuttable && session.config.value?.publicClips ? (
        <PublicClip {...clip} />
      ) : (
        <footer>
          <ShareTexts {...clip} />
        </footer>
      )}
    </>
  )
}

/** Pixels of the list that stay visible next to a line that it is scrolled to. */
const MARGIN = 44

type BorderProps = {
  name: keyof Passage
  passage: Passage
  total: number
  isPlaying: boolean
  onChange: (passage: Passage) => void
}

const steps = [
  { by: -1, sign: '−1 s', key: 'second-earlier' },
  { by: -0.1, sign: '−0.1', key: 'tenth-earlier' },
  { by: 0.1, sign: '+0.1', key: 'tenth-later' },
  { by: 1, sign: '+1 s', key: 'second-later' },
]

/** One border of a passage: a second or a tenth earlier or later, or where the player is now. */
function Border({ name, passage, total, isPlaying, onChange }: BorderProps) {
  const { player } = useApp()
  const { t } = useTranslation()
  const at = passage[name]
  const move = (to: number) => onChange(moveBorder(passage, name, roundToTenth(to), total))
  const label = t(`passage-${name}`)
  return (
    <div className="share-border wrap row gap-8" role="group" aria-label={label}>
      <span className="breaks">{label}</span>
      <button type="button" className="secondary" disabled={!isPlaying} onClick={() => move(player.position.peek())}>
        {t('passage-now')}
      </button>
      <div className="share-steps centred wrap row gap-4 push">
        {steps.map(({ by, sign, key }) => (
          <Fragment key={key}>
            {by === 0.1 && <output className="numbers middle">{formatTenths(at)}</output>}
            <button type="button" className="secondary" aria-label={`${sign}: ${t(key)}`} onClick={() => move(at + by)}>
              {sign}
            </button>
          </Fragment>
        ))}
      </div>
    </div>
  )
}

type LinesProps = { lines: readonly Line[]; passage: Passage; onChoose: (line: Line) => void }

/** Lines of the transcript; the chosen ones make up the passage, and stay visible whatever moved its borders. */
function Lines({ lines, passage, onChoose }: LinesProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const chosen = lines.filter(line => isWithin(passage, line))
  const [first, last] = [chosen[0]?.idx, chosen.at(-1)?.idx]
  useLayoutEffect(() => showIn(box.current, 'last'), [last])
  useLayoutEffect(() => showIn(box.current, 'first'), [first])
  if (lines.length === 0) return null
  return (
    <div className="share-lines flex rounded scrolls" role="group" aria-label={t('passage-lines')} ref={box}>
      {lines.map(line => (
        <button
          key={line.idx}
          type="button"
          className="moment shrinks rigid entry"
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

/** Scrolls only the list to the first or the last chosen line, if that is not visible. */
function showIn(box: HTMLElement | null, which: 'first' | 'last') {
  const line = [...(box?.querySelectorAll<HTMLElement>('[aria-pressed=true]') ?? [])].at(which === 'first' ? 0 : -1)
  if (!box || !line) return
  const [frame, place] = [box.getBoundingClientRect(), line.getBoundingClientRect()]
  if (place.top >= frame.top && place.bottom <= frame.bottom) return
  box.scrollTop += which === 'first' ? place.top - frame.top - MARGIN : place.bottom - frame.bottom + MARGIN
}

type Made = { file: File; address: string; of: Passage }

/** The sound of a passage: previewed, saved, or shared as a file. */
function ClipAudio({ playing: { episode }, passage }: Omit<PublicClipProps, 'quote'>) {
  const { player, failed } = useApp()
  const { clips } = useAdministrationApi()
  const { t } = useTranslation()
  const [made, setMade] = useState<Made | null>(null)
  useEffect(() => () => URL.revokeObjectURL(made?.address ?? ''), [made])
  // A clip with other borders is not a preview of this one.
  const current = made?.of === passage ? made : null

  async function make(): Promise<Made> {
    if (current) return current
    const sound = await clips.cut(episode.id, passage.start, passage.end)
    const name = clipName(episode.name, passage, sound.type)
    const file = new File([sound], name, { type: sound.type })
    const fresh = { file, address: URL.createObjectURL(file), of: passage }
    setMade(fresh)
    return fresh
  }
  const listening = useAction(make, failed)
  const saving = useAction(async () => {
    const { file } = await make()
    saveFile(file.name, file)
  }, failed)
  return (
    <>
      <div className="share-buttons wrap gap-8">
        <BusyButton className="secondary with-icon" isBusy={listening.isBusy} onClick={() => listening.run()}>
          <Headphones size={18} aria-hidden="true" />
          {t('clip-listen')}
        </BusyButton>
        <BusyButton className="secondary with-icon" isBusy={saving.isBusy} onClick={() => saving.run()}>
          <Download size={18} aria-hidden="true" />
          {t('clip-download')}
        </BusyButton>
        {current && canShareFile(current.file) && (
          <button type="button" className="secondary with-icon" onClick={() => void shareFile(current.file)}>
            <Share2 size={18} aria-hidden="true" />
            {t('clip-share')}
          </button>
        )}
      </div>
      {current && (
        <audio
          className="block wide"
          controls
          autoPlay
          src={current.address}
          aria-label={t('clip-preview')}
          onPlay={() => player.pause()}
        />
      )}
    </>
  )
}

/** The name of the file of a clip, which distinguishes it from other clips of its episode: `Fog (00-15_00-25).mp3`. */
export function clipName(episode: string, { start, end }: Passage, type: string): string {
  const title = episode.replace(/[\\/:*?"<>|\s]+/g, ' ').trim()
  const times = [start, end].map(at => formatTenths(at).replaceAll(':', '-')).join('_')
  return `${title.slice(0, 100).trim()} (${times}).${type === 'audio/aac' ? 'aac' : 'mp3'}`.trim()
}

type PublicClipProps = { playing: Playing; passage: Passage; quote: string }

const inDays = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
const days = [1, 7, CLIP_DAYS, 90, MAX_CLIP_DAYS].map(String)

/**
 * Publishes a page with a passage for everybody who has its address, and shows the address. The foot has its button
 * while it is unfolded, and else the texts to share.
 */
function PublicClip({ playing, passage, quote }: PublicClipProps) {
  const { failed } = useApp()
  const { clips } = useAdministrationApi()
  const { t } = useTranslation()
  const copy = useCopyKey()
  const formId = useId()
  const [isOpen, setOpen] = useState(false)
  const { episode } = playing
  const [title, setTitle] = useState(episode.name.slice(0, 200))
  const [length, setLength] = useState(String(CLIP_DAYS))
  const [made, setMade] = useState<(Clip & { of: Passage }) | null>(null)
  const making = useAction(async () => {
    const clip = await clips.share({ episode: episode.id, ...passage, title, quote, days: Number(length) })
    setMade({ ...clip, of: passage })
  }, failed)
  const current = made?.of === passage ? made : null
  return (
    <>
      <details className="share-public ruled-above fold" onToggle={event => setOpen(event.currentTarget.open)}>
        <summary className="reachable row gap-8 spread ink strong">
          {t('public-clip')}
          <ChevronDown size={18} aria-hidden="true" />
        </summary>
        <p className="muted">{t('public-clip-text')}</p>
        {current ? (
          <KeyField
            label={t('public-clip-address')}
            help={t('public-clip-until', { date: formatDay(current.endsAt) })}
            value={current.url}
            onCopy={() => void copy(current.url)}
          >
            {null}
          </KeyField>
        ) : (
          <form id={formId} onSubmit={onSubmit(() => making.run())}>
            <TextField label={t('public-clip-title')} value={title} onChange={setTitle} maxLength={200} required />
            <SelectField
              label={t('public-clip-ends')}
              value={length}
              options={days}
              textOf={count => formatDay(inDays(Number(count)))}
              onChange={setLength}
            />
          </form>
        )}
      </details>
      <footer>
        {isOpen && !current ? (
          <BusyButton type="submit" form={formId} isBusy={making.isBusy} disabled={title.trim() === ''}>
            {t('public-clip-make')}
          </BusyButton>
        ) : (
          <ShareTexts playing={playing} passage={passage} quote={quote} />
        )}
      </footer>
    </>
  )
}
