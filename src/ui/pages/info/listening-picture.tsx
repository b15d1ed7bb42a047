import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Stats } from '../../../shared/api/system'
import { Check } from '../../components/fields'
import { drawCover, loadCover, PictureButtons } from '../../components/picture-buttons'
import { formatMinutes } from '../../format'

const SIDE = 1080
const MARGIN = 84
const COVERS = 4

/** A picture of a period to save or share. The browser draws it, and the server receives nothing. */
export function Picture({ stats, title }: { stats: Stats; title: string }) {
  const { t } = useTranslation()
  const [showsPodcasts, setShowsPodcasts] = useState(true)
  const canvas = useRef<HTMLCanvasElement>(null)
  const { totalListenedSeconds, listenedEpisodes, listenedPodcasts, savedSeconds, trimmedSeconds } = stats
  const saved = savedSeconds + trimmedSeconds
  const words = {
    title,
    total: formatMinutes(totalListenedSeconds),
    counts: [t('episodes-count', { count: listenedEpisodes }), t('podcasts-count', { count: listenedPodcasts })].join(
      ' · ',
    ),
    foot: ['Castellan', saved >= 60 && t('time-saved', { time: formatMinutes(saved) })].filter(Boolean).join(' · '),
  }
  const covers = showsPodcasts ? stats.topPodcasts.slice(0, COVERS).map(({ imageUrl }) => imageUrl) : []
  const drawn = JSON.stringify([words, covers])
  useEffect(() => {
    let isOver = false
    const [texts, addresses] = JSON.parse(drawn) as [Words, string[]]
    void Promise.all(addresses.map(loadCover)).then(images => {
      if (!isOver && canvas.current) draw(canvas.current, texts, images)
    })
    return () => void (isOver = true)
  }, [drawn])
  return (
    <section className="card padded listening-picture stack gap-16" aria-labelledby="picture">
      <canvas ref={canvas} width={SIDE} height={SIDE} role="img" aria-label={Object.values(words).join('. ')} />
      <div className="stack single gap-8">
        <h2 className="flush" id="picture">
          {t('picture-to-keep')}
        </h2>
        <p className="muted flush">{t('picture-text')}</p>
        <Check isOn={showsPodcasts} onChange={setShowsPodcasts}>
          {t('picture-shows-podcasts')}
        </Check>
        <PictureButtons canvas={canvas} name={title} />
      </div>
    </section>
  )
}

type Words = { title: string; total: string; counts: string; foot: string }

function draw(
  canvas: HTMLCanvasElement,
  { title, total, counts, foot }: Words,
  covers: readonly (HTMLImageElement | null)[],
) {
  const context = canvas.getContext('2d')
  if (!context) return
  const ground = context.createRadialGradient(0, 0, 0, 0, 0, SIDE * 1.3)
  ground.addColorStop(0, '#246a80')
  ground.addColorStop(0.7, '#0f2b3b')
  context.fillStyle = ground
  context.fillRect(0, 0, SIDE, SIDE)
  const family = getComputedStyle(canvas).fontFamily
  const width = SIDE - 2 * MARGIN
  function write(text: string, at: number, size: number, weight: number) {
    context!.fillStyle = '#f4f8f9'
    context!.font = `${weight} ${size}px ${family}`
    context!.fillText(text, MARGIN, at, width)
  }
  write(title, 190, 46, 400)
  write(total, 330, 140, 700)
  write(counts, 400, 46, 400)
  const side = (width - (COVERS - 1) * 24) / COVERS
  covers.forEach((cover, at) => {
    drawCover(context, cover, { x: MARGIN + at * (side + 24), y: 460, side })
  })
  write(foot, SIDE - MARGIN, 42, 400)
}
