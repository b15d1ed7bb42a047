import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../shared/duration'
import { Dialog } from '../components/dialog'
import { drawCover, loadCover, PictureButtons } from '../components/picture-buttons'
import { SegmentedChoice } from '../components/segments'
import type { Selected } from '../library/episodes/transcript-selection'
import type { Playing } from '../playback/state'
import { ShareTexts } from './share-texts'
import './panels.css'

const WIDTH = 1080
const HEIGHTS = { square: 1080, tall: 1920 }
const MARGIN = 84
/** Pixels of the letters of a quotation: as large as fits. */
const MAX_LETTER = 76
const MIN_LETTER = 34
const COVER = 156

type Props = { playing: Playing; selected: Selected; onClose: () => void }

/** A quotation as a picture, which this browser draws, and as text. */
export function ShareCard({ playing, selected, onClose }: Props) {
  const { t } = useTranslation()
  const [shape, setShape] = useState<keyof typeof HEIGHTS>('square')
  const canvas = useRef<HTMLCanvasElement>(null)
  const { episode, podcastName } = playing
  const { text, speaker, startMs, endMs } = selected
  const start = (startMs ?? 0) / 1000
  const quote = `“${text}”`
  const about = [podcastName, startMs !== null && formatDuration(start)].filter(Boolean).join(' · ')
  const address = episode.local_image_url
  useEffect(() => {
    let isOver = false
    void loadCover(address).then(cover => {
      if (!isOver && canvas.current) draw(canvas.current, { quote, head: speaker ?? episode.name, about, cover })
    })
    return () => void (isOver = true)
  }, [address, quote, speaker, episode.name, about, shape])
  return (
    <Dialog title={t('share-card')} onClose={onClose}>
      {() => (
        <div className="share share-card">
          <SegmentedChoice
            label={t('share-card')}
            choices={[
              { value: 'square', label: t('card-square') },
              { value: 'tall', label: t('card-tall') },
            ]}
            value={shape}
            onChange={setShape}
          />
          <canvas
            key={shape}
            ref={canvas}
            width={WIDTH}
            height={HEIGHTS[shape]}
            role="img"
            aria-label={[quote, speaker ?? episode.name, about].join(' ')}
          />
          <ShareTexts playing={playing} passage={{ start, end: (endMs ?? startMs ?? 0) / 1000 }} quote={text} />
          <footer>
            <PictureButtons canvas={canvas} name={episode.name.replace(/[\\/:*?"<>|]/g, ' ')} />
          </footer>
        </div>
      )}
    </Dialog>
  )
}

type Words = { quote: string; head: string; about: string; cover: HTMLImageElement | null }

/** Draws in the colours that the stylesheet gives the canvas. */
function draw(canvas: HTMLCanvasElement, { quote, head, about, cover }: Words) {
  const context = canvas.getContext('2d')
  if (!context) return
  const { backgroundColor, outlineColor, color, fontFamily } = getComputedStyle(canvas)
  const { width, height } = canvas
  const ground = context.createRadialGradient(0, 0, 0, 0, 0, Math.hypot(width, height))
  ground.addColorStop(0, outlineColor)
  ground.addColorStop(0.75, backgroundColor)
  context.fillStyle = ground
  context.fillRect(0, 0, width, height)
  context.fillStyle = color
  const room = width - 2 * MARGIN
  function write(text: string, y: number, x = MARGIN) {
    const isRtl = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text)
    context!.direction = isRtl ? 'rtl' : 'ltr'
    context!.textAlign = isRtl ? 'right' : 'left'
    context!.fillText(text, isRtl ? width - MARGIN : x, y, width - MARGIN - x)
  }
  const foot = height - MARGIN - COVER
  let letter = MAX_LETTER
  let lines: string[] = []
  for (; letter >= MIN_LETTER; letter -= 4) {
    context.font = `600 ${letter}px ${fontFamily}`
    lines = wrap(quote, part => context.measureText(part).width <= room)
    if (lines.length * letter * 1.35 <= foot - 2 * MARGIN) break
  }
  const most = Math.floor((foot - 1.5 * MARGIN) / (Math.max(letter, MIN_LETTER) * 1.35))
  if (lines.length > most) lines = [...lines.slice(0, most - 1), `${lines[most - 1]}…`]
  lines.forEach((line, at) => write(line, MARGIN + letter * (1 + at * 1.35)))
  drawCover(context, cover, { x: MARGIN, y: foot, side: COVER })
  const beside = cover ? MARGIN + COVER + 36 : MARGIN
  context.font = `600 42px ${fontFamily}`
  write(head, foot + 66, beside)
  context.font = `400 38px ${fontFamily}`
  write(about, foot + 122, beside)
}

/** Breaks a text into lines: at spaces, and a word that alone fills a line after any letter. */
export function wrap(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = []
  let line = ''
  const parts = text.split(/(?<=\s)/).flatMap(word => (fits(word) ? [word] : [...word]))
  for (const part of parts) {
    if (line && !fits((line + part).trimEnd())) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += part
  }
  return line ? [...lines, line] : lines
}
